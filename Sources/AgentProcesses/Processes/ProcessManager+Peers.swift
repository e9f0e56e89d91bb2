internal import AgentSupervision
internal import AgentWorkers

extension ProcessManager {
  /// Whether a process may use the management socket. Every process of this user may, except the
  /// workers and what they have started: these run with the user's id, but don't act for the user.
  ///
  /// Rationale: a sandbox lets no worker make such a connection. This holds for those that run
  /// without one, too, and should a kernel's sandbox fail.
  /// - Parameter pid: the peer, as the kernel says it; 0 when it is in a namespace that this
  ///   process can't see, where no worker can get to.
  package func admits(peer pid: Int32) -> Bool {
    guard pid > 0 else { return pid == 0 }
    return switch ProcessLineage.of(pid) {
    case .outside: true
    case .unknown: false
    // A program of a task, which an administrator has chosen, is no worker; one that has lost its
    // parent may be what a worker has left.
    case .below(let child, let isKnown): isKnown && !registry.isWorker(child)
    }
  }
}
