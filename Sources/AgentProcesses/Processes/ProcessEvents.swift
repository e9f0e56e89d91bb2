package import AgentEvents
internal import AgentJSON
internal import AgentSupervision
internal import Synchronization

/// Publishes `process_failed` when a process has FAILED, and `process_recovered` when it runs
/// again.
package final class ProcessEvents: Sendable {
  private static let failed = "process_failed"
  private static let recovered = "process_recovered"
  private struct State {
    /// The processes whose last published state is FAILED.
    var down: Set<String> = []
    /// The processes that have started under this host. `nil` after the earlier failures were read.
    var started: Set<String>? = []
  }

  private let events: EventBus
  private let outbox: HostOutbox
  private let pause: @Sendable (Duration) async throws -> Void
  private let redact: @Sendable (String) -> String
  private let state = Mutex(State())

  /// - Parameters:
  ///   - outbox: publishes the events.
  ///   - redact: removes secrets from a worker's messages, which are stored here.
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

  /// Processes an event of the supervisor. Called on the loop's thread.
  func supervisionDidChange(_ event: SupervisionEvent) {
    switch event.kind {
    case .failed(let reason): failed(event.name, reason)
    case .started: runs(event.name)
    default: break
    }
  }

  /// Records that a process has FAILED.
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

  /// Records that a process runs. An event is published only if it had FAILED.
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

  /// Reads from the log the processes that had failed at the end of the former host, and publishes
  /// the recovery of those that run now. After an error it tries again every five seconds, because
  /// nothing else would publish these recoveries.
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
      // From here on, `down` alone contains the failed processes.
      state.started = nil
      // These haven't started yet. Their recovery is published when they do.
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
