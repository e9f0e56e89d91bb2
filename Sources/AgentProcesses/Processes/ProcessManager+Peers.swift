internal import AgentSupervision
internal import AgentWorkers

extension ProcessManager {
  /// Returns whether a process may use the management socket. Every process of this user may,
  /// except the workers and their children: they have the user's id but don't act for the user.
  ///
  /// Rationale: a sandbox already prevents a worker from connecting. This check also covers workers
  /// without a sandbox, and a failing sandbox.
  /// - Parameter pid: the peer, as the kernel reports it. It is 0 for a process in a namespace that
  ///   this process can't see. No worker can enter such a namespace.
  package func admits(peer pid: Int32) -> Bool {
    guard pid > 0 else { return pid == 0 }
    return switch ProcessLineage.of(pid) {
    case .outside: true
    case .unknown: false
    // The program of a task, which an administrator has chosen, isn't a worker. A program without
    // its parent may be the child of a worker.
    case .below(let child, let isKnown): isKnown && !registry.isWorker(child)
    }
  }
}
