internal import AgentAccess
internal import AgentTraces
internal import Hummingbird
internal import HummingbirdCore
internal import NIOCore

/// A request in the request pipeline.
struct RequestContext {
  let request: Request
  /// The routes of its path.
  let match: RouteTable.Match?
  let address: String
  let channel: any Channel
  let began: ContinuousClock.Instant
  let id: String
  /// Whether who asks is still there; nil where the answer doesn't take long.
  var client: ClientPresence?
  var route: APIRoute?
  var principal: Principal?
  var values: [String: String] = [:]
  /// The name that the body gives what it is about.
  var name: String?
  /// What its answer belongs to, in a trace.
  var trace: TraceContext?
  /// How many bytes of a body were read.
  var received = 0
  var problem: APIProblem?
}

/// What the server says of the connection that a request came on.
struct ConnectionContext: InitializableFromSource {
  /// The client's address, or `unix`.
  let address: String
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    channel = source.channel
    address = source.channel.remoteAddress?.ipAddress ?? "unix"
  }
}
