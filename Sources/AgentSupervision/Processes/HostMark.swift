import AgentText
import Glibc

/// Marks the processes that a host has started, for the host that follows it when it was killed.
///
/// A mark is an entry of the environment, `AGENT_WORKER_OF=/the/agent's/folder`, and a number that
/// is made of it, as the hard limit `RLIMIT_LOCKS`. The kernel limits nothing by that one. Children
/// inherit it however they are started, no process can raise it, and the sandbox refuses to lower
/// it. A process can leave its group, its session, its parent and its environment.
struct HostMark: Equatable {
  static let variable = "AGENT_WORKER_OF="

  /// The entry of the environment.
  let entry: [UInt8]

  /// The limit. It lies below "unlimited" and above what anybody limits.
  var limit: UInt64 {
    FNV1a.hash(of: entry) >> 3 | 1 << 61
  }

  init(entry: String) { self.entry = Array(entry.utf8) }

  /// The mark in an environment; nil for one without.
  init?(in environment: [String]) {
    guard let entry = environment.last(where: { $0.hasPrefix(Self.variable) }) else { return nil }
    self.init(entry: entry)
  }

  /// Whether a process bears it.
  func marks(_ pid: Int32) -> Bool {
    guard !entry.isEmpty else { return false }
    return SmallFile.bytes("/proc/\(pid)/environ").split(separator: 0).contains {
      $0.elementsEqual(entry)
    } || Self.limit(in: SmallFile.text("/proc/\(pid)/limits")) == limit
  }

  /// The hard limit in a text such as `Max file locks  unlimited  12  locks`.
  static func limit(in text: String) -> UInt64? {
    let name = "Max file locks"
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(name) }) else {
      return nil
    }
    let fields = line.dropFirst(name.count).split(separator: " ")
    return fields.dropFirst().first.flatMap { UInt64($0) }
  }
}
