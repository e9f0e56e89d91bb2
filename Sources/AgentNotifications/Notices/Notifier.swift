/// Delivers notices.
public protocol Notifier: Sendable {
  /// Delivers one. It may come again, with the same ``Notice/id``, when it isn't known whether it
  /// was delivered. Cancelled when it takes too long.
  /// - Throws: ``DeliveryFailure`` where more can be said than the error itself does.
  func deliver(_ notice: Notice) async throws
}

/// Why a notice wasn't delivered.
public struct DeliveryFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// A sentence for the person who maintains the notifier.
  public let message: String
  /// Whether another attempt can't help.
  public var isFinal: Bool
  /// Milliseconds that the receiver asks to wait. Nil when it doesn't ask.
  public var retryAfter: Int64?
  /// The message.
  public var description: String { message }

  /// Makes a failure.
  public init(_ message: String, isFinal: Bool = false, retryAfter: Int64? = nil) {
    self.message = message
    self.isFinal = isFinal
    self.retryAfter = retryAfter
  }
}
