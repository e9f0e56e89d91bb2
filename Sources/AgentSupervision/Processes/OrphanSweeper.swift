import CSupervision
import Glibc

/// Kills the children of this process that it hasn't started. A subreaper becomes the parent of all
/// orphans below it.
struct OrphanSweeper {
  /// The result of a sweep.
  struct Outcome: Equatable {
    /// The number of processes found, including zombies.
    var found = 0
    /// The number of killed processes, including descendants.
    var killed = 0
  }

  let known: KnownChildren

  /// Checks all processes once.
  /// - Parameter scan: reads the processes.
  func sweep(_ scan: () -> ProcessTable = ProcessTable.scan) -> Outcome {
    // The scan needs no lock, so that starts and reaps don't wait for it. Each process is checked
    // again under the lock, because a process that was reaped in between may have lost its pid to
    // another one.
    let table = scan()
    let children = table.children(of: getpid())
    return known.withUnknown(of: children.map(\.pid)) { pids in
      pids.filter { pid in
        ProcessStat.read(pid)?.isSame(as: children.first { $0.pid == pid }) == true
      }.reduce(into: Outcome()) { end($1, in: table, outcome: &$0) }
    }
  }

  private func end(_ pid: Int32, in table: ProcessTable, outcome: inout Outcome) {
    outcome.found += 1
    var code: Int32 = 0
    var status: Int32 = 0
    if cs_reap_pid(pid, &code, &status) == 1 { return }
    // The whole tree is killed at once. Otherwise a family that forks fast could outrun the sweeps.
    for process in table.family(of: pid) where !process.isZombie {
      // A descendant may have ended in between, and its pid may belong to another process.
      guard ProcessStat.read(process.pid)?.isSame(as: process) == true else { continue }
      if kill(process.pid, SIGKILL) == 0 { outcome.killed += 1 }
    }
    _ = cs_reap_pid(pid, &code, &status)
  }
}
