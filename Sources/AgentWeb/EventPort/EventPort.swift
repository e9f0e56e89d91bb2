package import AgentHost
internal import AgentSettings
internal import ServiceLifecycle

/// The port of `events.tcp`: programs connect and send events, a JSON object a line.
///
/// It follows the settings: a port that is no longer asked for is closed, a new one is opened,
/// without a restart.
package struct EventPort: Service {
  /// The setting that asks for the port.
  static let name = "events.tcp"

  private let host: HostApplication

  /// The port of this host's settings.
  package init(host: HostApplication) {
    self.host = host
  }

  /// Serves until the service group ends; what has come by then is stored.
  package func run() async throws {
    var listener: EventListener?
    for await settings in host.currentSettings.follow().cancelOnGracefulShutdown() {
      let wanted = settings.events.tcp
      if wanted == listener?.settings { continue }
      await listener?.stop()
      listener = wanted.map { EventListener($0, host: host) }
      listener?.start()
    }
    await listener?.stop()
  }
}
