internal import AgentAccess
internal import AgentDiagnostics
package import AgentHost
internal import AgentLogging
internal import AgentSettings
internal import AgentSystem
internal import AgentWorkers
internal import ServiceLifecycle

/// The API on a port, for people, programs and the console.
///
/// It follows the settings without a restart: it closes a port that isn't wanted any more and opens
/// a new one.
package struct APIPort: Service {
  /// The key of the port in the settings.
  static let name = "http"

  private let api: API
  private let host: HostApplication

  /// Makes the port of this host's settings.
  package init(_ api: API, host: HostApplication) {
    self.api = api
    self.host = host
    host.ports.check { ServerIdentity.fault(of: $0.http)?.description }
  }

  /// Serves until the service group ends.
  /// - Throws: `HostError` if the first settings ask for a port that must not be opened.
  package func run() async throws {
    let log = AccessLog(host)
    defer { log.lines.flush() }
    var listener: APIListener?
    await host.database.settled()
    if host.lifecycle.isEnding { return }
    for await settings in host.currentSettings.updates().cancelOnGracefulShutdown() {
      let wanted = APIListener.Order(settings.http)
      if wanted == listener?.order {
        listener?.goesOn(despite: nil)
        continue
      }
      // The open port stays until the next one can be opened: who sent a wrong key over this port
      // couldn't take it back.
      if let listener, let fault = await fault(of: settings.http) {
        let problem = "The port keeps its former settings. \(fault)"
        listener.goesOn(despite: problem)
        host.log.log(.error, "http: \(problem)")
        continue
      }
      let isFirst = listener == nil
      // The old listener must release its port before the new one opens it.
      await listener?.stop()
      listener = nil
      guard settings.http.isEnabled else { continue }
      if let refusal = refusal(settings.http) {
        // In safe mode the host stays up whatever the settings say.
        if isFirst, host.start.safeMode == nil { throw refusal }
        host.log.log(.error, "\(refusal.message) The port stays closed.")
        continue
      }
      listener = APIListener(wanted, api, host: host, log: log)
      listener?.start()
    }
    await listener?.finish()
  }

  /// Returns why the files of a port can't be used, or nil.
  private func fault(of http: HTTPSettings) async -> String? {
    do throws(HostError) {
      // Repeated, because nobody announces these settings again.
      return try await FileDeadline.runOnceReady(
        or: "The port's files can't be read", for: "certificates"
      ) { ServerIdentity.fault(of: http)?.description }
    } catch {
      return error.message
    }
  }

  /// Returns why a port may not be opened, or nil.
  private func refusal(_ http: HTTPSettings) -> HostError? {
    guard !http.listen.isLoopback, host.access.isEmpty else { return nil }
    return HostError(
      .conflict,
      "Other machines can reach \(http.listen), but nobody could sign in: there is no user and no "
        + "token. Create one first: agent user add NAME --role administrator, or agent token "
        + "create NAME --scope read.")
  }
}
