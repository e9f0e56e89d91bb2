package import AgentEvents
internal import AgentJSON
internal import AgentSupervision
internal import Synchronization

/// Publishes that a process has FAILED, and that it runs again: `process_failed` and
/// `process_recovered`.
package final class ProcessEvents: Sendable {
  private static let failed = "process_failed"
  private static let recovered = "process_recovered"
  private struct State {
    /// The processes whose last word was that they have failed.
    var down: Set<String> = []
    /// The processes that have started under this host; nil once the earlier failures are known.
    var started: Set<String>? = []
  }

  private let events: EventBus
  private let outbox: HostOutbox
  private let pause: @Sendable (Duration) async throws -> Void
  private let redact: @Sendable (String) -> String
  private let state = Mutex(State())

  /// - Parameters:
  ///   - outbox: publishes them.
  ///   - redact: takes what is secret out of a worker's own words, which are kept here.
  package init(
    _ events: EventBus, outbox: HostOutbox,
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    redact: @escaping @Sendable (String) -> String
  ) {
    self.events = events
    self.outbox = outbox
    self.pause = pause
    self.redact = redact
  }

  /// Takes an event of the supervisor, on the loop's thread.
  func supervisionDidChange(_ event: SupervisionEvent) {
    switch event.kind {
    case .failed(let reason): failed(event.name, reason)
    case .started: runs(event.name)
    default: break
    }
  }

  /// A process has failed and stays down.
  func failed(_ name: String, _ reason: String) {
    state.withLock { state in
      state.down.insert(name)
      state.started?.remove(name)
    }
    publish(
      Self.failed, of: name,
      [
        "severity": "critical", "title": .string("\(name) has FAILED"),
        "reason": .string(redact(reason)),
      ])
  }

  /// A process runs. Published only if it had failed before.
  func runs(_ name: String) {
    let wasDown = state.withLock { state in
      state.started?.insert(name)
      return state.down.remove(name) != nil
    }
    if wasDown { recovered(name) }
  }

  private func recovered(_ name: String) {
    publish(
      Self.recovered, of: name,
      ["severity": "info", "title": .string("\(name) runs again")])
  }

  /// Reads from the log which processes had failed when the former host ended, and publishes the
  /// recovery of those that run by now. An error is tried again every five seconds: nothing else
  /// would ever publish these recoveries.
  package func remember() async {
    while !Task.isCancelled {
      do {
        return try await readLog()
      } catch {
        if (try? await pause(.seconds(5))) == nil { return }
      }
    }
  }

  private func readLog() async throws {
    let query = try EventQuery(parsing: "(\(Self.failed) | \(Self.recovered)) source:agent")
    let (events, _) = try await events.events(matching: query, limit: 10_000)
    var last: [String: String] = [:]
    for event in events {
      if let process = event.field("process")?.string { last[process] = event.type }
    }
    // Each process's last event decides: it may have failed and recovered many times.
    let names = Set(last.filter { $0.value == Self.failed }.keys)
    let running = state.withLock { state in
      let started = state.started ?? []
      // From here on `down` alone says which processes have failed.
      state.started = nil
      // Those that haven't started yet: their recovery is published when they do.
      state.down.formUnion(names.subtracting(started))
      return names.intersection(started)
    }
    for name in running.sorted() { recovered(name) }
  }

  private func publish(_ type: String, of name: String, _ fields: JSONObject) {
    var object: JSONObject = [
      "type": .string(type), "process": .string(name), "key": .string(name),
    ]
    for (key, value) in fields { object[key] = value }
    outbox.publish(object)
  }
}
