/// A failure that a module or one of its contributions reports.
public struct ModuleFailure: Error, Sendable, Equatable, CustomStringConvertible {
  /// The status, which is never `ok`.
  public let status: ModuleStatus
  /// The module's message.
  public let message: String

  /// Creates a failure.
  public init(_ status: ModuleStatus, _ message: String) {
    self.status = status == .ok ? .failed : status
    self.message = message
  }

  init(_ status: ModuleStatus, _ message: [UInt8]) {
    self.init(
      status,
      message.isEmpty ? "The module gave no reason." : String(decoding: message, as: UTF8.self))
  }

  /// The same as ``message``.
  public var description: String { message }
}
