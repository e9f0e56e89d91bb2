internal import Synchronization

/// The settings in force, for all parts of the host. Any thread.
package final class CurrentSettings: Sendable {
  private struct State {
    var value: AgentSettings
    /// How they were read at the start, until the schemas are written.
    var read: SettingsResult?
    var streams: [Int: AsyncStream<AgentSettings>.Continuation] = [:]
    var lastNumber = 0
  }

  private let state: Mutex<State>

  /// - Parameter read: the result that the settings come from.
  package init(_ settings: AgentSettings, _ read: SettingsResult) {
    state = Mutex(State(value: settings, read: read))
  }

  /// The settings as they are applied now.
  package var value: AgentSettings { state.withLock { $0.value } }

  /// The result of reading at the start; nil for the second call. It holds the whole document,
  /// which nobody needs for long.
  package func takeRead() -> SettingsResult? { state.withLock { $0.read.take() } }

  /// Puts new settings into force. Readers of ``updates()`` get them with ``announce()``.
  package func set(_ settings: AgentSettings) { state.withLock { $0.value = settings } }

  /// The settings in force, and each later version. A reader that is slow gets the newest only.
  package func updates() -> AsyncStream<AgentSettings> {
    let (stream, source) = AsyncStream.makeStream(
      // A port opens by what is in force; versions in between would only open it twice.
      of: AgentSettings.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      state.lastNumber += 1
      state.streams[state.lastNumber] = source
      // Under the lock: a reload between the first value and the registration would be missed.
      source.yield(state.value)
      return state.lastNumber
    }
    source.onTermination = { [weak self] _ in
      self?.state.withLock { $0.streams[number] = nil }
    }
    return stream
  }

  /// Gives the settings in force to every reader of ``updates()``.
  package func announce() {
    let (value, streams) = state.withLock { ($0.value, Array($0.streams.values)) }
    // Outside of the lock, which a stream takes when it ends.
    for stream in streams { stream.yield(value) }
  }
}
