import AgentKit

/// What a rule has said, kept over restarts: so a cooldown goes on, and what was raised is said to be
/// over by whoever finds out.
struct RuleMemory: Sendable {
  /// What is kept of one thing that the rule watches.
  struct Saved: Codable, Sendable {
    var key: [JSONValue]
    var state: RuleState
    var row: JSONValue
    var time: Int64
    var uid: String
  }

  private let state: ProcessState
  private let prefix: String

  init(_ host: AgentHost, _ rule: RuleSettings) {
    state = host.state
    prefix = "said/\(rule.name)/"
  }

  /// What was kept. A value that isn't of this form is left alone.
  func load() async throws -> [Saved] {
    var saved: [Saved] = []
    var keys = try await state.keys(prefix: prefix)[...]
    while !keys.isEmpty {
      for entry in try await state.entries(Array(keys.prefix(100))) {
        guard let value = try? entry.decode(Saved.self), name(value.key) == entry.key else {
          continue
        }
        saved.append(value)
      }
      keys = keys.dropFirst(100)
    }
    return saved
  }

  func save(_ saved: Saved) async throws {
    try await state.set(name(saved.key), to: saved)
  }

  func forget(_ keys: [[JSONValue]]) async throws {
    for key in keys { try await state.remove(name(key)) }
  }

  /// A key of the state has at most 512 bytes: a long one ends in a hash of all of it.
  private func name(_ key: [JSONValue]) -> String {
    let name = prefix + JSONValue.array(key).text()
    guard name.utf8.count > 500 else { return name }
    let hash = name.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3  // FNV-1a
    }
    var short = ""
    for scalar in name.unicodeScalars.prefix(100) { short.unicodeScalars.append(scalar) }
    return short + String(hash, radix: 16)
  }
}
