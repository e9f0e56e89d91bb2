package import AgentDiagnostics
package import AgentSettings
internal import Synchronization

/// What the ports of the host need of it.
extension HostApplication {
  /// The settings as they are applied now, and again whenever others are.
  package func followSettings() -> AsyncStream<AgentSettings> {
    let (stream, source) = AsyncStream.makeStream(
      of: AgentSettings.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      state.followers.number += 1
      state.followers.streams[state.followers.number] = source
      source.yield(state.settings)
      return state.followers.number
    }
    source.onTermination = { [weak self] _ in
      self?.state.withLock { $0.followers.streams[number] = nil }
    }
    return stream
  }

  /// Tells who follows the settings.
  func announce(_ settings: AgentSettings) {
    for stream in state.withLock({ $0.followers.streams.values.map(\.self) }) {
      stream.yield(settings)
    }
  }

  /// Says where the API's port is; nil when it is closed.
  package func serves(at url: String?) {
    state.withLock { $0.url = url }
    if url != nil { tellSetup() }
  }

  /// Where people reach the API: what the settings say, or the port that is open.
  package var baseURL: String? {
    state.withLock { $0.settings.http.baseURL ?? $0.url }
  }

  /// Shows a port in the status, or no longer.
  /// - Parameter report: called whenever the status is asked for.
  package func show(listener name: String, _ report: (@Sendable () -> ListenerReport)?) {
    state.withLock { $0.listeners[name] = report }
  }
}

/// Who wants to know of new settings.
struct SettingsFollowers {
  var number = 0
  var streams: [Int: AsyncStream<AgentSettings>.Continuation] = [:]
}
