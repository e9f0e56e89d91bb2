internal import AgentJSON
internal import AgentWorkers

/// The limits of a process, as `/proc/PID/limits` shows them.
package struct ProcessLimits: Sendable, Hashable {
  /// A limit that holds now and the highest that the process may set; nil for none.
  struct Limit: Sendable, Hashable {
    var soft: UInt64?
    var hard: UInt64?

    var json: JSONValue {
      [
        "soft": soft.map { JSONValue($0) } ?? .null, "hard": hard.map { JSONValue($0) } ?? .null,
      ]
    }
  }

  /// The descriptors that the host needs for itself, without its clients.
  /// - Parameter processes: the number of its workers.
  package static func descriptors(neededFor processes: Int) -> Int {
    // A worker has a socket, a pidfd and the pipes of its output and its last words.
    256 + 8 * min(max(0, processes), 1 << 20)
  }

  /// By the kernel's own names: `Max open files`.
  private(set) var byName: [String: Limit] = [:]

  /// Reads the limits of a process, or of this one.
  init(pid: Int32? = nil) {
    self.init(text: ProcessFile.read("/proc/\(pid.map(String.init) ?? "self")/limits"))
  }

  /// Reads the table: names to column 26, then two numbers or `unlimited`, then a unit.
  init(text: String) {
    for line in text.split(separator: "\n").dropFirst() {
      let name = line.prefix(26).reversed().drop { $0 == " " }.reversed()
      let words = line.dropFirst(26).split(separator: " ")
      guard let soft = words.first, let hard = words.dropFirst().first else { continue }
      byName[String(name)] = Limit(soft: UInt64(soft), hard: UInt64(hard))
    }
  }

  /// Open descriptors.
  var files: Limit? { byName["Max open files"] }
  /// Processes and threads of the user.
  var processes: Limit? { byName["Max processes"] }
  /// Bytes of address space.
  var addressSpace: Limit? { byName["Max address space"] }
  /// Bytes of data and private mappings.
  var data: Limit? { byName["Max data size"] }

  /// The limits as the API gives them.
  var json: JSONValue {
    [
      "files": files?.json ?? .null, "processes": processes?.json ?? .null,
      "address_space_bytes": addressSpace?.json ?? .null, "data_bytes": data?.json ?? .null,
    ]
  }
}
