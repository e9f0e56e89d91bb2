import Glibc

/// The processes of the machine at one moment.
struct ProcessTable {
  private(set) var processes: [ProcessStat]
  private var children: [Int32: [Int]] = [:]
  private var places: [Int32: Int] = [:]

  /// Reads all of `/proc`, which takes about 8 µs a process.
  static func scan() -> ProcessTable {
    ProcessTable(pids().compactMap { ProcessStat.read($0) })
  }

  init(_ processes: [ProcessStat]) {
    self.processes = processes
    for (index, process) in processes.enumerated() {
      children[process.parent, default: []].append(index)
      places[process.pid] = index
    }
  }

  /// Returns the children of a process.
  func children(of pid: Int32) -> [ProcessStat] {
    children[pid, default: []].map { processes[$0] }
  }

  /// Returns a process with its descendants, and the members of its group that belong to no other
  /// family. A process that has lost its parent keeps its group. A process of another family may
  /// have joined the group so that its resources are counted here.
  /// - Parameter isOther: whether a process is the root of another family.
  func family(
    of pid: Int32, isOther: (Int32) -> Bool = { _ in false }
  ) -> [ProcessStat] {
    var found: [Int32: ProcessStat] = [:]
    for process in processes where process.pid == pid || process.group == pid {
      if process.pid != pid, descends(process, from: { $0 != pid && isOther($0) }) { continue }
      found[process.pid] = process
    }
    var open = Array(found.keys)
    while let next = open.popLast() {
      for child in children(of: next) where found.updateValue(child, forKey: child.pid) == nil {
        open.append(child.pid)
      }
    }
    return Array(found.values)
  }

  /// Returns whether a process or one of its ancestors satisfies the condition.
  private func descends(_ process: ProcessStat, from isOne: (Int32) -> Bool) -> Bool {
    var next: ProcessStat? = process
    // A scan takes time, and a pid may be reused during it. The parents could form a circle, so the
    // search is limited.
    for _ in 0..<Self.maxGenerations {
      guard let current = next else { return false }
      if isOne(current.pid) { return true }
      next = places[current.parent].map { processes[$0] }
    }
    return false
  }

  private static let maxGenerations = 256

  /// Returns the pids of all processes, or the numbers of the threads in another folder.
  static func pids(in path: String = "/proc") -> [Int32] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var pids: [Int32] = []
    while let entry = readdir(folder) {
      let pid = withUnsafeBytes(of: &entry.pointee.d_name) { name in
        name.first.map { $0 >= 0x30 && $0 <= 0x39 } == true ? atoi(name.baseAddress) : nil
      }
      if let pid { pids.append(pid) }
    }
    return pids
  }

  private static func atoi(_ text: UnsafeRawPointer?) -> Int32? {
    text.map { Glibc.atoi($0.assumingMemoryBound(to: CChar.self)) }
  }
}

/// The number of threads and the last pid of the system, from `/proc/loadavg`. They change nearly
/// always when a process or thread starts or ends. While they are the same, no scan is needed.
struct ProcessCensus: Equatable {
  private let text: [UInt8]

  static func read() -> ProcessCensus? {
    ProcessStat.withFile("/proc/loadavg") { line in
      line.firstIndex(of: UInt8(ascii: "/")).map { ProcessCensus(text: Array(line[$0...])) }
    }
  }
}
