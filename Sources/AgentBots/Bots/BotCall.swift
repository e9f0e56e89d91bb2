public import AgentAssignment
public import AgentJSON
internal import AgentTasks

/// What is sent to a bot's webhook.
public struct BotCall: Sendable {
  /// Where to.
  public let webhook: BotWebhook
  /// The same for the same offer, however often it is sent.
  public let id: String
  /// The assignment, with its task.
  public let offer: JSONObject

  /// Sends a call, and returns what the receiver answered.
  public typealias Sender = @Sendable (BotCall) async throws -> JSONValue
}

/// Thrown by the sender of a ``BotCall`` when the receiver hasn't taken it.
public struct BotUnreached: Error, CustomStringConvertible {
  /// A sentence for people.
  public let message: String
  /// Whether another attempt can't help.
  public var isFinal: Bool
  /// Milliseconds for which the receiver wants to be left in peace.
  public var retryAfter: Int64?
  /// The message.
  public var description: String { message }

  /// Makes one.
  public init(_ message: String, isFinal: Bool = false, retryAfter: Int64? = nil) {
    self.message = message
    self.isFinal = isFinal
    self.retryAfter = retryAfter
  }
}
