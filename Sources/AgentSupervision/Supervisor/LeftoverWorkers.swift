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
  private let marker: [UInt8]

  init(records: String, marker: String) {
    lines = WorkerRecord.read(records)
    self.marker = Array(marker.utf8)
  }

  /// Kills all of them and waits until they have ended, `patience` at most.
  func end(patience: Duration) -> [LeftoverWorker] {
    var ended: [Int32: LeftoverWorker] = [:]
    var watched: [Int32] = []
    // Each round scans again, because processes that were just being started appear later.
    for _ in 0..<8 {
      let found = find().filter { ended[$0.pid] == nil }
      if found.isEmpty { break }
      for worker in found {
        ended[worker.pid] = worker
        if let pidfd = kill(worker) { watched.append(pidfd) }
      }
      waitFor(watched, patience: patience)
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
    for process in table.processes where names[process.pid] == nil && isMarked(process.pid) {
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

  private func waitFor(_ pidfds: [Int32], patience: Duration) {
    var left = Int32(clamping: patience.clampedNanoseconds / 1_000_000)
    for pidfd in pidfds {
      var descriptor = pollfd(fd: pidfd, events: Int16(POLLIN), revents: 0)
      if poll(&descriptor, 1, left) == 0 { left = 0 }
    }
  }

  private func isMarked(_ pid: Int32) -> Bool {
    guard pid != getpid(), !marker.isEmpty else { return false }
    return SmallFile.bytes("/proc/\(pid)/environ").split(separator: 0).contains {
      $0.elementsEqual(marker)
    }
  }
}

extension Supervisor {
  /// Ends the processes that a killed host has left: those in its ledger with the same start time,
  /// their groups and descendants, and every process with the environment entry `marker`
  /// (`AGENT_WORKER_OF=/the/agent's/folder`). Blocks until they have ended, two seconds at most.
  /// Call it after the folder's lock is taken and before the first start.
  public static func endLeftovers(records: String, marker: String) -> [LeftoverWorker] {
    LeftoverWorkers(records: records, marker: marker).end(patience: .seconds(2))
  }
}
