internal import AgentSupervision
internal import AgentWorkerProtocol
internal import AgentWorkers
internal import Synchronization

/// The links of the running workers, and their reports. Any thread may use it.
final class WorkerRegistry: Sendable {
  private struct State {
    /// The links by name, oldest first. There are two while one worker replaces the other.
    var links: [String: [WorkerLink]] = [:]
    /// The sandbox levels of the workers, by name.
    var sandboxes: [String: SandboxReport] = [:]
  }

  private let state = Mutex(State())

  /// Returns the links of a process, oldest first.
  func links(of name: String) -> [WorkerLink] { state.withLock { $0.links[name] ?? [] } }

  /// Returns the newest link of a process that can be called.
  func linkAtWork(_ name: String) -> WorkerLink? {
    // The newest first: an old worker that is being replaced still works, but will end soon.
    links(of: name).last(where: \.isAtWork)
  }

  /// Returns the sandbox level of a worker, or `nil` if only a former worker has reported one.
  func sandbox(of name: String, pid: Int32) -> SandboxReport? {
    state.withLock { $0.sandboxes[name] }.flatMap { $0.pid == pid ? $0 : nil }
  }

  /// Returns whether a process is one of the workers.
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

  /// Stores the sandbox report of a worker. The pid distinguishes it from the report of a former
  /// worker.
  func sandboxReached(_ name: String, pid: Int32, _ loaded: Loaded) {
    state.withLock { $0.sandboxes[name] = SandboxReport(loaded, pid: pid) }
  }
}
