/// Why an operation on an alert, a delivery or a notifier failed.
public struct AlertError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of an error.
  public enum Code: Sendable, Hashable {
    /// There is no alert, delivery or notifier with this number or name.
    case missing
    /// The current state doesn't allow the operation.
    case conflict
    /// The agent is starting. The caller may soon try again.
    case notReady
  }

  public let code: Code
  /// A sentence for the person who asked.
  public let message: String
  /// The message.
  public var description: String { message }

  static func unknown(_ alert: Int64) -> AlertError {
    AlertError(
      code: .missing,
      message: "There is no alert \(alert). \"agent alerts list\" shows them.")
  }

  static func unknown(delivery: Int64) -> AlertError {
    AlertError(
      code: .missing,
      message: "There is no delivery \(delivery). \"agent notify deliveries\" shows them.")
  }

  static func overtaken(_ delivery: Int64) -> AlertError {
    AlertError(
      code: .conflict,
      message:
        "The delivery \(delivery) is outdated: its notifier already received later news of the "
        + "same alert, and would take this for the newest.")
  }
}
