internal import AgentSupervision
internal import AgentWorkerProtocol
internal import AgentWorkers
internal import Synchronization

/// The links of the running workers, and what they have reported. Any thread.
final class WorkerRegistry: Sendable {
  private struct State {
    /// By name, oldest first. There are two while one worker replaces the other.
    var links: [String: [WorkerLink]] = [:]
    /// The levels that the workers' sandboxes reached, by name.
    var sandboxes: [String: SandboxReport] = [:]
  }

  private let state = Mutex(State())

  /// The links of a process, oldest first.
  func links(of name: String) -> [WorkerLink] { state.withLock { $0.links[name] ?? [] } }

  /// The newest link of a process that can be called.
  func linkAtWork(_ name: String) -> WorkerLink? {
    // The newest first: an old worker that is being replaced still works, but will end soon.
    links(of: name).last(where: \.isAtWork)
  }

  /// What the sandbox of a worker has reached; nil for a former worker's report.
  func sandbox(of name: String, pid: Int32) -> SandboxReport? {
    state.withLock { $0.sandboxes[name] }.flatMap { $0.pid == pid ? $0 : nil }
  }

  /// Whether a process is one of the workers.
  func isWorker(_ pid: Int32) -> Bool {
    state.withLock { state in
      // All links, since two workers share a name while one replaces the other.
      state.links.values.contains { links in links.contains { $0.connection.pid == pid } }
    }
  }

  func add(_ link: WorkerLink) {
    // Appended, since the link of the worker that this one replaces is still there.
    state.withLock { $0.links[link.plan.name, default: []].append(link) }
  }

  func remove(_ link: WorkerLink) {
    // By identity: the successor's link has the same name.
    state.withLock { $0.links[link.plan.name]?.removeAll { $0 === link } }
  }

  /// Keeps the report of a worker. With the pid, because the report of a former worker says nothing
  /// of the present one.
  func sandboxReached(_ name: String, pid: Int32, _ loaded: Loaded) {
    state.withLock { $0.sandboxes[name] = SandboxReport(loaded, pid: pid) }
  }
}
