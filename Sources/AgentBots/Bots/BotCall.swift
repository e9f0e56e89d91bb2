public import AgentAssignment
public import AgentJSON
internal import AgentTasks

/// A request to a bot's webhook that offers an assignment.
public struct BotCall: Sendable {
  /// The address, and the secret that signs the request.
  public let webhook: BotWebhook
  /// The id of the offer. It is the same at every attempt, so that the receiver can ignore
  /// repetitions.
  public let id: String
  /// The assignment with its task, as the API shows it.
  public let offer: JSONObject

  /// Sends a request and returns the body of the response.
  /// - Throws: ``BotUnreached`` if the receiver didn't accept the request.
  public typealias Sender = @Sendable (BotCall) async throws -> JSONValue
}

/// The failure of a request to a webhook. The sender of a ``BotCall`` throws it.
public struct BotUnreached: Error, CustomStringConvertible {
  /// The reason, as a sentence for people.
  public let message: String
  /// Whether a retry is useless.
  public var isFinal: Bool
  /// The time until the next attempt that the receiver asked for, in milliseconds. Nil if it named
  /// none.
  public var retryAfter: Int64?
  public var description: String { message }

  /// Creates a failure. By default, it is retried.
  public init(_ message: String, isFinal: Bool = false, retryAfter: Int64? = nil) {
    self.message = message
    self.isFinal = isFinal
    self.retryAfter = retryAfter
  }
}
