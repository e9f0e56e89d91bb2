internal import AgentRuntime

/// Every route there is.
enum APIRoutes {
  static func all(_ host: AgentHost) -> [APIRoute] {
    let routes =
      AgentRoutes(host: host).routes + ProcessRoutes(host: host).routes
      + ModuleRoutes(host: host).routes + EventRoutes(host: host).routes
      + ConsumerRoutes(host: host).routes + QueryRoutes(host: host).routes
      + StateRoutes(host: host).routes + LogRoutes(host: host).routes
      + HealthRoutes(host: host).routes + DiagnosticsRoutes(host: host).routes
      + SessionRoutes(host: host).routes + UserRoutes(host: host).routes
      + TokenRoutes(host: host).routes + AuditRoutes(host: host).routes
      + NotificationRoutes(host: host).routes
    return routes + [OpenAPIDocument.route(for: routes, of: host)] + PageRoutes().routes
  }
}
