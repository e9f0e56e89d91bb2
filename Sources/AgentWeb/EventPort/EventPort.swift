package import AgentHost
internal import AgentSettings
internal import ServiceLifecycle

/// The port of `events.tcp`. Programs connect and send events, one JSON object a line.
///
/// It follows the settings without a restart: it closes a port that isn't wanted any more and opens
/// a new one.
package struct EventPort: Service {
  /// The key of the port in the settings.
  static let name = "events.tcp"

  private let host: HostApplication
  private let api: API

  /// Makes the port of this host's settings.
  /// - Parameter api: its clients and those of this port share a budget for what they send ahead,
  ///   and the log of closed connections.
  package init(_ api: API, host: HostApplication) {
    (self.api, self.host) = (api, host)
  }

  /// Serves until the service group ends. Events that have arrived by then are stored.
  package func run() async throws {
    var listener: EventListener?
    for await settings in host.currentSettings.updates().cancelOnGracefulShutdown() {
      let wanted = settings.events.tcp
      if wanted == listener?.settings { continue }
      await listener?.stop()
      listener = wanted.map {
        EventListener($0, host: host, budget: api.readAhead, closed: api.closed)
      }
      listener?.start()
    }
    await listener?.stop()
  }
}
