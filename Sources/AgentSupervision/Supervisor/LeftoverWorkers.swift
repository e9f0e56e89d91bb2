import CSupervision
import Glibc

/// A process of a previous host that was ended.
public struct LeftoverWorker: Sendable, Equatable {
  /// The process id.
  public let pid: Int32
  /// The child's name in the ledger. `nil` means that only the environment identified the process.
  public let name: String?
}

/// Finds and ends the processes that a killed host has left.
struct LeftoverWorkers {
  private let lines: [WorkerRecord]
  private let mark: HostMark

  init(records: String, marker: String) {
    lines = WorkerRecord.read(records)
    mark = HostMark(entry: marker)
  }

  /// Kills all of them and waits until they have ended, `patience` at most.
  func end(patience: Duration) -> [LeftoverWorker] {
    var ended: [Int32: LeftoverWorker] = [:]
    var watched: [Int32] = []
    // One for all rounds.
    let deadline = ContinuousClock.now + patience
    // Each round scans again, because processes that were just being started appear later.
    for _ in 0..<8 {
      let found = find().filter { ended[$0.pid] == nil }
      if found.isEmpty { break }
      for worker in found {
        ended[worker.pid] = worker
        if let pidfd = kill(worker) { watched.append(pidfd) }
      }
      Self.waitForEnds(of: watched, until: deadline)
    }
    for pidfd in watched { _ = close(pidfd) }
    return ended.values.sorted { $0.pid < $1.pid }
  }

  private func find() -> [LeftoverWorker] {
    let listed = lines.reduce(into: [:]) { $0[$1.pid] = $1 }
    let table = ProcessTable.scan()
    var names: [Int32: String?] = [:]
    for process in table.processes where listed[process.pid]?.start == process.start {
      for member in table.family(of: process.pid) {
        names[member.pid] = listed[process.pid]?.name
      }
    }
    for process in table.processes where names[process.pid] == nil {
      guard process.pid != getpid(), mark.marks(process.pid) else { continue }
      names[process.pid] = .some(nil)
    }
    names[getpid()] = nil
    return names.map { LeftoverWorker(pid: $0.key, name: $0.value) }
  }

  private func kill(_ worker: LeftoverWorker) -> Int32? {
    let before = ProcessStat.read(worker.pid)
    let pidfd = cs_pidfd_open(worker.pid)
    guard pidfd >= 0 else { return nil }
    // The pid may belong to another process since before the pidfd was opened.
    if let before, before.start == ProcessStat.read(worker.pid)?.start, !before.isZombie {
      _ = cs_pidfd_signal(pidfd, SIGKILL)
    }
    return pidfd
  }

  /// Waits until these have ended, not beyond the deadline.
  /// - Parameter wait: waits for the end of one, no longer than these milliseconds.
  static func waitForEnds(
    of pidfds: [Int32], until deadline: ContinuousClock.Instant,
    now: () -> ContinuousClock.Instant = { .now },
    wait: (_ pidfd: Int32, _ milliseconds: Int32) -> Void = Self.waitForEnd
  ) {
    for pidfd in pidfds {
      // Those after one that took all the time aren't waited for, but may have ended.
      let left = max(.zero, deadline - now())
      wait(pidfd, Int32(clamping: left.clampedNanoseconds / 1_000_000))
    }
  }

  private static func waitForEnd(of pidfd: Int32, _ milliseconds: Int32) {
    var descriptor = pollfd(fd: pidfd, events: Int16(POLLIN), revents: 0)
    _ = poll(&descriptor, 1, milliseconds)
  }
}

extension Supervisor {
  /// Returns the processes with the environment entry `marker`, or with the limit that is made of
  /// it. Those of other users can't be read.
  public static func processes(with marker: String) -> [Int32] {
    let mark = HostMark(entry: marker)
    return ProcessTable.pids().filter(mark.marks).sorted()
  }

  /// Ends the processes that a killed host has left: those in its ledger with the same start time,
  /// their groups and descendants, and every process with the environment entry `marker`
  /// (`AGENT_WORKER_OF=/the/agent's/folder`), or with the limit that is made of it. Blocks until
  /// they have ended, two seconds at most. Call it after the folder's lock is taken and before the
  /// first start.
  public static func endLeftovers(records: String, marker: String) -> [LeftoverWorker] {
    LeftoverWorkers(records: records, marker: marker).end(patience: .seconds(2))
  }
}
