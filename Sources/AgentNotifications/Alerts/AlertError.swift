/// Why something can't be done with an alert, a delivery or a notifier.
public struct AlertError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What kind of obstacle it is.
  public enum Code: Sendable, Hashable {
    /// There is none of this number or name.
    case missing
    /// It doesn't fit the state it is in.
    case conflict
    /// The agent is starting; trying again soon helps.
    case notReady
  }

  /// What kind of obstacle it is.
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
