/// The error of a value that can't be written as JSON.
public struct JSONEncodingError: Error, Sendable, CustomStringConvertible {
  /// The part of the value that is wrong.
  public let pointer: JSONPointer
  /// A message that says what is wrong and what to do.
  public let message: String
  /// The error that a type's own `encode(to:)` threw, if it isn't one of Codable's.
  public let cause: (any Error)?

  /// `PATH: MESSAGE`.
  public var description: String {
    let path = pointer.dotted
    return path.isEmpty ? message : "\(path): \(message)"
  }

  init(_ error: any Error) {
    guard case EncodingError.invalidValue(_, let context) = error else {
      pointer = .root
      message = String(describing: error)
      cause = error
      return
    }
    pointer = JSONPointer(tokens: context.codingPath.map(\.stringValue))
    message = context.debugDescription
    cause = context.underlyingError
  }
}
