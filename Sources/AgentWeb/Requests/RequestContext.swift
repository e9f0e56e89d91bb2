internal import AgentAccess
internal import AgentEvents
internal import AgentTraces
internal import Hummingbird
internal import HummingbirdCore
internal import NIOCore

/// One request and its state in the request pipeline.
struct RequestContext {
  let request: Request
  /// The routes of its path. Nil means that there are none.
  let match: RouteTable.Match?
  let address: String
  let channel: any Channel
  let began: ContinuousClock.Instant
  let id: String
  /// Whether the client is still connected. Nil means that the answer is quick and doesn't need it.
  var client: ClientPresence?
  /// The end of the request's token. Nil means that the answer is quick and doesn't need it.
  var tokenEnd: TokenEnd?
  var route: APIRoute?
  var principal: Principal?
  var values: [String: String] = [:]
  /// The target for the audit log that the body names.
  var target: String?
  /// The trace that its answer belongs to.
  var trace: TraceContext?
  /// The number of bytes of the body that were read.
  var received = 0
  var problem: APIProblem?
  /// The permit to make a large answer, and its principal's slot for it.
  var permit: StreamBudget.Permit?
  var slot: LargeAnswerShares.Slot?

  /// Closes the connection, without waiting for it.
  var endConnection: @Sendable () -> Void {
    { [channel] in channel.close(promise: nil) }
  }
}

/// The connection of a request.
struct ConnectionContext: InitializableFromSource {
  /// The client's address, or `unix`.
  let address: String
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    channel = source.channel
    address = source.channel.remoteAddress?.ipAddress ?? "unix"
  }
}
