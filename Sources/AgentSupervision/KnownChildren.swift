import Synchronization

/// The children that this process has started on purpose. Whatever else has it as its parent was
/// re-parented to it, is an orphan, and gets killed.
///
/// Code that starts a process beside supervision does so within ``spawning(_:)``, and reaps it within
/// ``reaping(_:_:)``.
public final class KnownChildren: Sendable {
  /// Those of this process: there is one set of children, however many supervisors there are.
  public static let ofThisProcess = KnownChildren()

  private let pids = Mutex<Set<Int32>>([])

  init() {}

  /// Starts a process and registers its pid, which `spawn` returns; no sweep can see the process
  /// in between.
  @discardableResult
  public func spawning(_ spawn: () -> Int32?) -> Int32? {
    pids.withLock { pids in
      let pid = spawn()
      if let pid { pids.insert(pid) }
      return pid
    }
  }

  /// Reaps a process and forgets its pid, which from then on may be another's. `reap` returns
  /// `nil` when the process still runs.
  public func reaping<Status>(_ pid: Int32, _ reap: () -> Status?) -> Status? {
    pids.withLock { pids in
      let status = reap()
      if status != nil { pids.remove(pid) }
      return status
    }
  }

  /// Calls with those of `candidates` that are nobody's; meanwhile no process is started.
  func withUnknown<R>(of candidates: [Int32], _ body: ([Int32]) -> R) -> R {
    pids.withLock { pids in body(candidates.filter { !pids.contains($0) }) }
  }

  func contains(_ pid: Int32) -> Bool {
    pids.withLock { $0.contains(pid) }
  }
}
