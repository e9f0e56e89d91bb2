package import AgentDiagnostics
package import AgentSettings
internal import Synchronization

/// The interface for the ports of the host: settings, address and state.
extension HostApplication {
  /// The settings in force, and each later version. A reader that is slow gets the newest only.
  package func followSettings() -> AsyncStream<AgentSettings> {
    let (stream, source) = AsyncStream.makeStream(
      // A port opens by what is in force; versions in between would only open it twice.
      of: AgentSettings.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      state.followers.number += 1
      state.followers.streams[state.followers.number] = source
      // Under the lock: a reload between the first value and the registration would be missed.
      source.yield(state.settings)
      return state.followers.number
    }
    source.onTermination = { [weak self] _ in
      self?.state.withLock { $0.followers.streams[number] = nil }
    }
    return stream
  }

  /// Gives new settings to every reader of ``followSettings()``.
  func announce(_ settings: AgentSettings) {
    // Outside of the lock, which a stream takes when it ends.
    for stream in state.withLock({ $0.followers.streams.values.map(\.self) }) {
      stream.yield(settings)
    }
  }

  /// The API's port calls it with its address when it opens, and with nil when it closes.
  package func serves(at url: String?) {
    state.withLock { $0.url = url }
    // The link of the first start needs the address, which isn't known before.
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

/// The readers of ``HostApplication/followSettings()``, by number.
struct SettingsFollowers {
  var number = 0
  var streams: [Int: AsyncStream<AgentSettings>.Continuation] = [:]
}
