internal import AgentJSON
internal import AgentWorkers

/// The resource limits of a process, from `/proc/PID/limits`.
package struct ProcessLimits: Sendable, Hashable {
  /// The current limit, and the highest that the process may set. `nil` means unlimited.
  struct Limit: Sendable, Hashable {
    var soft: UInt64?
    var hard: UInt64?

    var json: JSONValue {
      [
        "soft": soft.map { JSONValue($0) } ?? .null, "hard": hard.map { JSONValue($0) } ?? .null,
      ]
    }
  }

  /// Returns the number of descriptors that the host needs without its clients.
  /// - Parameter processes: the number of its workers.
  package static func descriptors(neededFor processes: Int) -> Int {
    // A worker needs a socket, a pidfd, and pipes for its output and its crash report.
    256 + 8 * min(max(0, processes), 1 << 20)
  }

  /// The limits by the kernel's names, such as `Max open files`.
  private(set) var byName: [String: Limit] = [:]

  /// Reads the limits of a process. `nil` means this one.
  init(pid: Int32? = nil) {
    self.init(text: ProcessFile.read("/proc/\(pid.map(String.init) ?? "self")/limits"))
  }

  /// Reads the table. Each line has the name up to column 26, two numbers or `unlimited`, and a
  /// unit.
  init(text: String) {
    for line in text.split(separator: "\n").dropFirst() {
      let name = line.prefix(26).reversed().drop { $0 == " " }.reversed()
      let words = line.dropFirst(26).split(separator: " ")
      guard let soft = words.first, let hard = words.dropFirst().first else { continue }
      byName[String(name)] = Limit(soft: UInt64(soft), hard: UInt64(hard))
    }
  }

  /// The number of open descriptors.
  var files: Limit? { byName["Max open files"] }
  /// The number of processes and threads of the user.
  var processes: Limit? { byName["Max processes"] }
  /// The size of the address space, in bytes.
  var addressSpace: Limit? { byName["Max address space"] }
  /// The size of data and private mappings, in bytes.
  var data: Limit? { byName["Max data size"] }

  /// The limits in the form of the API.
  var json: JSONValue {
    [
      "files": files?.json ?? .null, "processes": processes?.json ?? .null,
      "address_space_bytes": addressSpace?.json ?? .null, "data_bytes": data?.json ?? .null,
    ]
  }
}
