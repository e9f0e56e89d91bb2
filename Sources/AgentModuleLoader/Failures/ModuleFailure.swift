/// A contribution's own answer that something did not work.
public struct ModuleFailure: Error, Sendable, Equatable, CustomStringConvertible {
  /// How it ended; never `ok`.
  public let status: ModuleStatus
  /// The module's sentence.
  public let message: String

  /// Makes a failure.
  public init(_ status: ModuleStatus, _ message: String) {
    self.status = status == .ok ? .failed : status
    self.message = message
  }

  init(_ status: ModuleStatus, _ message: [UInt8]) {
    self.init(
      status,
      message.isEmpty ? "The module gave no reason." : String(decoding: message, as: UTF8.self))
  }

  /// The module's sentence.
  public var description: String { message }
}
