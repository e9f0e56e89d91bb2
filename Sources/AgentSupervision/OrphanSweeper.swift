import CSupervision
import Glibc

/// Kills the processes that have this process as their parent and that nobody here started: a
/// subreaper gets all that loses its parent below it.
struct OrphanSweeper {
  /// What a sweep came upon.
  struct Outcome: Equatable {
    /// Processes that were there, dead ones included.
    var found = 0
    /// Those that were killed, with their descendants.
    var killed = 0
  }

  let known: KnownChildren

  /// Looks through all processes once.
  func sweep() -> Outcome {
    let table = ProcessTable.scan()
    let children = table.children(of: getpid())
    return known.withUnknown(of: children.map(\.pid)) { pids in
      pids.reduce(into: Outcome()) { end($1, table, &$0) }
    }
  }

  private func end(_ pid: Int32, _ table: ProcessTable, _ outcome: inout Outcome) {
    outcome.found += 1
    var code: Int32 = 0
    var status: Int32 = 0
    if cs_reap_pid(pid, &code, &status) == 1 { return }
    // The whole tree at once, so that a family that forks fast doesn't outrun the sweeps.
    for process in table.family(of: pid) where !process.isZombie {
      if kill(process.pid, SIGKILL) == 0 { outcome.killed += 1 }
    }
    _ = cs_reap_pid(pid, &code, &status)
  }
}
