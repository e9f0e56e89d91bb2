/// Why a process couldn't be started.
public struct SpawnError: Error, Equatable, CustomStringConvertible {
  /// Whether another attempt fails too, until a person changes something.
  public var isPermanent: Bool
  /// A sentence with the file, the problem and the remedy.
  public var message: String
  /// The system's error number.
  public var errno: Int32

  public var description: String { message }
}
