package import AgentDiagnostics
package import AgentSettings
internal import AgentWorkers
internal import Synchronization

/// The ports of the host: their state, and the address of the API. Any thread.
package final class PortRegistry: Sendable {
  private struct State {
    /// By the setting that asks for the port.
    var reports: [String: @Sendable () -> ListenerReport] = [:]
    /// Where the API's port is, once it is open.
    var url: String?
    var check: (@Sendable (AgentSettings) -> String?)?
  }

  private let state = Mutex(State())
  private let settings: CurrentSettings
  private let setup: FirstUserSetup

  init(_ settings: CurrentSettings, _ setup: FirstUserSetup) {
    (self.settings, self.setup) = (settings, setup)
  }

  /// Shows a port in the status and in the health, or no longer.
  /// - Parameter report: called whenever the status is asked for; any thread.
  package func show(_ name: String, _ report: (@Sendable () -> ListenerReport)?) {
    state.withLock { $0.reports[name] = report }
  }

  /// The API's port calls it with its address when it opens, and with nil when it closes.
  package func serves(at url: String?) {
    state.withLock { $0.url = url }
    // The link of the first start needs the address, which isn't known before.
    if url != nil, let baseURL { setup.showLink(at: baseURL) }
  }

  /// Sets how the API's port finds out whether it can be opened with other settings. It may read
  /// files, and returns the reason why not; any thread.
  package func check(_ check: @escaping @Sendable (AgentSettings) -> String?) {
    state.withLock { $0.check = check }
  }

  /// Why the API's port can't be opened with these settings; nil when it can.
  /// - Throws: `notReady` when that can't be found out now. It says nothing about the settings.
  func problem(with settings: AgentSettings) async throws(HostError) -> String? {
    guard let check = state.withLock({ $0.check }) else { return nil }
    do throws(HostError) {
      return try await FileDeadline.run(
        or: "The port's files can't be read", for: "certificates"
      ) { check(settings) }
    } catch {
      if error.code == .notReady { throw error }
      return error.message
    }
  }

  /// Where people reach the API: what the settings say, or the port that is open.
  var baseURL: String? { settings.value.http.baseURL ?? state.withLock { $0.url } }

  /// The state of every port, by name.
  var reports: [ListenerReport] {
    // Called outside of the lock: a port's report may take a lock of the port's own.
    state.withLock { $0.reports.sorted { $0.key < $1.key } }.map { $0.value() }
  }
}
