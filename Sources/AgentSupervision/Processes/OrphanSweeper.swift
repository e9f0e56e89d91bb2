import CSupervision
import Glibc

/// Kills the processes that have this process as their parent and that nobody here started: a
/// subreaper gets all that loses its parent below it.
struct OrphanSweeper {
  /// The result of a sweep.
  struct Outcome: Equatable {
    /// Processes that were there, dead ones included.
    var found = 0
    /// Those that were killed, with their descendants.
    var killed = 0
  }

  let known: KnownChildren

  /// Looks through all processes once.
  func sweep() -> Outcome {
    // Scanned without the lock, so that starting and reaping don't wait for it. Each process is
    // checked again under the lock: one that was reaped meanwhile may have lost its number to
    // another process.
    let table = ProcessTable.scan()
    let children = table.children(of: getpid())
    return known.withUnknown(of: children.map(\.pid)) { pids in
      pids.filter { pid in
        ProcessStat.read(pid)?.isSame(as: children.first { $0.pid == pid }) == true
      }.reduce(into: Outcome()) { end($1, table, &$0) }
    }
  }

  private func end(_ pid: Int32, _ table: ProcessTable, _ outcome: inout Outcome) {
    outcome.found += 1
    var code: Int32 = 0
    var status: Int32 = 0
    if cs_reap_pid(pid, &code, &status) == 1 { return }
    // The whole tree at once, so that a family that forks fast doesn't outrun the sweeps.
    for process in table.family(of: pid) where !process.isZombie {
      // A descendant may have ended since, and its number have become another's.
      guard ProcessStat.read(process.pid)?.isSame(as: process) == true else { continue }
      if kill(process.pid, SIGKILL) == 0 { outcome.killed += 1 }
    }
    _ = cs_reap_pid(pid, &code, &status)
  }
}
