package import AgentHost
internal import AgentLogging
internal import AgentMetrics
package import AgentWorkers

/// The API of a host: its routes and their metrics. All listeners share it.
package struct API: Sendable {
  let table: RouteTable
  let metrics: RequestMetrics
  let bodies: BodyBudget
  let readAhead: ReadAheadBudget
  /// Logs the connections that were closed because a client used too much.
  let closed: EndedConnections

  /// Makes the API of a host. The program makes one.
  /// - Throws: `failed` if the shape of a body can't be checked. The API isn't served then.
  package init(_ host: HostApplication) throws(HostError) {
    let bodies = BodyBudget()
    let closed = EndedConnections(log: { [log = host.log] in log.log(.warning, $0) })
    let readAhead = ReadAheadBudget(ended: { closed.add($0) })
    try self.init(
      APIRoutes.all(host), metrics: host.metrics, bodies: bodies, readAhead: readAhead,
      closed: closed)
    host.held.show("request_bodies") { [bodies] in
      HeldMemory.Part(bytes: bodies.bytes, maxBytes: bodies.maxBytes)
    }
    host.held.show("request_read_ahead") { [readAhead] in
      HeldMemory.Part(bytes: readAhead.bytes, maxBytes: readAhead.maxBytes)
    }
  }

  /// Makes an API of some routes, whose requests are counted in `metrics`.
  /// - Parameters:
  ///   - bodies: bounds the bodies of all listeners together.
  ///   - readAhead: bounds what their clients send ahead.
  ///   - closed: logs the connections that their limits close.
  /// - Throws: `failed` if the shape of a body can't be checked.
  init(
    _ routes: [APIRoute], metrics: MetricsRegistry, bodies: BodyBudget = BodyBudget(),
    readAhead: ReadAheadBudget = ReadAheadBudget(),
    closed: EndedConnections = EndedConnections(log: { _ in })
  ) throws(HostError) {
    let faults = routes.flatMap(\.faults)
    guard faults.isEmpty else { throw HostError(.failed, faults.joined(separator: " ")) }
    table = RouteTable(routes)
    (self.bodies, self.readAhead) = (bodies, readAhead)
    self.closed = closed
    self.metrics = RequestMetrics(metrics, routes)
  }
}

/// All routes.
enum APIRoutes {
  static func all(_ host: HostApplication) -> [APIRoute] {
    let routes =
      AgentRoutes(host: host).routes + ProcessRoutes(host: host).routes
      + ModuleRoutes(host: host).routes + EventRoutes(host: host).routes
      + EventStreamRoutes(host: host).routes + SettingsRoutes(host: host).routes
      + ConsumerRoutes(host: host).routes + QueryRoutes(host: host).routes
      + StateRoutes(host: host).routes + LogRoutes(host: host).routes
      + HealthRoutes(host: host).routes + MetricsRoutes(host: host).routes
      + DiagnosticsRoutes(host: host).routes
      + SessionRoutes(host: host).routes + UserRoutes(host: host).routes
      + TokenRoutes(host: host).routes + AuditRoutes(host: host).routes
      + NotificationRoutes(host: host).routes
      + TaskRoutes(host: host).routes + ArtifactRoutes(host: host).routes
      + BotRoutes(host: host).routes
      + TaskBotRoutes(host: host).routes + ScheduleRoutes(host: host).routes
      + ModuleServedRoutes(host: host).routes
    return routes + [OpenAPIDocument.route(for: routes, of: host)] + PageRoutes().routes
  }
}
