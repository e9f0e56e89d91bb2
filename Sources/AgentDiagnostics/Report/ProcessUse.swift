package import AgentJSON
internal import AgentWorkers
internal import Glibc

/// The resources that a process uses, from `/proc`.
package struct ProcessUse: Sendable, Hashable {
  /// The resident memory, in bytes.
  var memory: Int
  /// The processor time in seconds, including that of ended children.
  var cpuSeconds: Double
  var threads: Int
  /// The number of open descriptors. `nil` if the system denies access.
  var descriptors: Int?

  /// Reads the values. Returns `nil` if there is no such process.
  package init?(pid: Int32) {
    self.init(stat: ProcessFile.read("/proc/\(pid)/stat"))
    descriptors = Self.openDescriptors(of: pid)
  }

  /// Reads a line such as `12 (a name) S 1 …`. The name may contain any character, also `)`.
  init?(stat: String) {
    guard let end = stat.lastIndex(of: ")") else { return nil }
    // The fields after the name begin with field 3; see proc(5).
    let fields = stat[end...].split(separator: " ").dropFirst().map(String.init)
    func number(_ field: Int) -> Int {
      fields.dropFirst(field - 3).first.flatMap { Int($0) } ?? 0
    }
    guard fields.count > 21 else { return nil }
    let ticks = number(14) &+ number(15) &+ number(16) &+ number(17)
    cpuSeconds = Double(ticks) / Double(max(1, sysconf(Int32(clamping: _SC_CLK_TCK))))
    threads = number(20)
    memory =
      number(24).multipliedReportingOverflow(by: sysconf(Int32(clamping: _SC_PAGESIZE)))
      .partialValue
  }

  private static func openDescriptors(of pid: Int32) -> Int? {
    guard let stream = opendir("/proc/\(pid)/fd") else { return nil }
    defer { closedir(stream) }
    var count = 0
    while readdir(stream) != nil { count += 1 }
    // Without `.` and `..`, and in this process without the descriptor that reads the folder.
    return max(0, count - (pid == getpid() ? 3 : 2))
  }

  /// The values in the form of the API.
  package var json: JSONValue {
    [
      "memory_bytes": JSONValue(memory), "cpu_seconds": JSONValue(cpuSeconds),
      "threads": JSONValue(threads), "descriptors": descriptors.map { JSONValue($0) } ?? .null,
    ]
  }
}
