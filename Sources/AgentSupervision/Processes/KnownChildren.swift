import Synchronization

/// The children that this process has started on purpose. Any other child was re-parented to this
/// process, is an orphan, and is killed.
///
/// ``Spawner`` and ``ProgramRun`` start processes within ``spawning(_:)``. Code that
/// reaps one does so within ``reaping(_:_:)``. Safe from every thread.
public final class KnownChildren: Sendable {
  /// The only set of this process, however many supervisors it has.
  public static let ofThisProcess = KnownChildren()

  private let pids = Mutex<Set<Int32>>([])

  init() {}

  /// Starts a process and registers its pid, which `spawn` returns. A sweep never sees the process
  /// before it is registered.
  ///
  /// Rationale: `spawn` returns while the program is still being loaded, which may take any time. It
  /// is called under the lock that every start and every reaping of a child waits for. Therefore, only
  /// this target starts processes.
  @discardableResult
  func spawning(_ spawn: () -> Int32?) -> Int32? {
    pids.withLock { pids in
      let pid = spawn()
      if let pid { pids.insert(pid) }
      return pid
    }
  }

  /// Reaps a process and removes its pid, which may then belong to another process. `reap` returns
  /// `nil` if the process still runs.
  public func reaping<Status>(_ pid: Int32, _ reap: () -> Status?) -> Status? {
    pids.withLock { pids in
      let status = reap()
      if status != nil { pids.remove(pid) }
      return status
    }
  }

  /// Calls `body` with the `candidates` that aren't registered. No process is started during the
  /// call.
  func withUnknown<R>(of candidates: [Int32], _ body: ([Int32]) -> R) -> R {
    pids.withLock { pids in body(candidates.filter { !pids.contains($0) }) }
  }

  func contains(_ pid: Int32) -> Bool {
    pids.withLock { $0.contains(pid) }
  }
}
