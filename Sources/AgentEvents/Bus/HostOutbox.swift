package import AgentJSON
internal import Synchronization

/// Publishes events of the host that rules rely on, such as that a process has failed. They keep
/// their order, and wait while they can't be stored. Any thread.
///
/// Rationale: a failure on a full disk is reported nowhere else, and nobody publishes it again. One
/// batch is on its way at a time, so a later event never goes ahead of an earlier one.
package final class HostOutbox: Sendable {
  /// The host's own name, which no process can have.
  package static let source = "agent"
  /// How many bytes of JSON wait at most. Beyond that the oldest go: what is so now matters more.
  static let maxBytes = 4 << 20
  private static let largestBatch = 256

  private struct Waiting {
    let event: JSONObject
    let bytes: Int
  }

  private struct State {
    var waiting: [Waiting] = []
    var bytes = 0
    var isSending = false
    var lost = 0
    /// How many of those that wait are published one by one: among them is one that can't be an
    /// event, which refuses its whole batch.
    var singles = 0
  }

  private let events: EventBus
  private let complain: @Sendable (String) -> Void
  private let state = Mutex(State())

  /// - Parameter complain: called with a sentence when events are lost; any thread.
  package init(_ events: EventBus, complain: @escaping @Sendable (String) -> Void) {
    (self.events, self.complain) = (events, complain)
  }

  /// Publishes an event now or, behind those that wait, as soon as it can be stored.
  package func publish(_ event: JSONObject) {
    let bytes = JSONValue.object(event).bytes().count
    let lost = state.withLock { state -> Int in
      state.waiting.append(Waiting(event: event, bytes: bytes))
      state.bytes += bytes
      let before = state.lost
      // The newest stays, even if it alone is too large.
      while state.bytes > Self.maxBytes, state.waiting.count > 1 {
        state.bytes -= state.waiting.removeFirst().bytes
        state.lost += 1
      }
      // Said for the first of them; how many they were is said when the others are stored.
      return before == 0 ? state.lost : 0
    }
    if lost > 0 {
      complain("Too many events of the host wait to be stored; the oldest are dropped.")
    }
    send()
  }

  private func send() {
    let batch = state.withLock { state -> [Waiting] in
      guard !state.isSending, !state.waiting.isEmpty else { return [] }
      state.isSending = true
      // Taken out before they are stored: nothing else sends them, since one batch is under way
      // at a time.
      let batch = Array(state.waiting.prefix(state.singles > 0 ? 1 : Self.largestBatch))
      state.singles -= state.singles > 0 ? 1 : 0
      state.bytes -= batch.reduce(0) { $0 + $1.bytes }
      state.waiting.removeFirst(batch.count)
      return batch
    }
    guard !batch.isEmpty else { return }
    do {
      try events.publishPatiently(
        batch.map(\.event), source: Self.source, by: .host
      ) { [self] isStored in
        sent(isStored)
      }
    } catch {
      refused(batch, error)
    }
  }

  private func refused(_ batch: [Waiting], _ error: EventError) {
    if batch.count == 1 {
      complain("A message of the host can't become an event. \(error)")
    } else {
      state.withLock { state in
        // Back to the front, in their order. Published one by one, only the invalid one is lost.
        state.waiting.insert(contentsOf: batch, at: 0)
        state.bytes += batch.reduce(0) { $0 + $1.bytes }
        state.singles = batch.count
      }
    }
    sent(true)
  }

  /// - Parameter isStored: false when the log is closed; nothing more can be stored then.
  private func sent(_ isStored: Bool) {
    let lost = state.withLock { state -> Int in
      // Once the log is closed this stays set, so nothing is sent any more.
      state.isSending = !isStored
      guard isStored, state.waiting.isEmpty else { return 0 }
      defer { state.lost = 0 }
      return state.lost
    }
    if lost > 0 {
      complain("\(lost) events of the host were lost while nothing could be stored.")
    }
    if isStored { send() }
  }
}
