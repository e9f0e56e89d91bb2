import AgentKit

/// What a rule has said and how far its query has come, kept over restarts. A cooldown goes on;
/// the next run reports the end of what was raised; no row is missed or taken twice.
struct RuleMemory: Sendable {
  /// What is kept of one thing that the rule watches.
  struct Saved: Codable, Sendable {
    var key: [JSONValue]
    var state: RuleState
    var row: JSONValue
    var time: Int64
    var uid: String
  }

  /// How far the rule has come. It is written with what came of the rows, in one transaction.
  struct Place: Codable, Sendable {
    /// The mark of the rule's query; nil where it gives none.
    var mark: String?
    /// Distinguishes what this rule has said from what all others have.
    var id: String
  }

  /// How many keys are written at once.
  private static let batch = 500

  private let state: ProcessState
  private let prefix: String
  private let placeKey: String

  init(_ host: AgentHost, _ rule: RuleSettings) {
    state = host.state
    prefix = "said/\(rule.name)/"
    placeKey = "place/\(rule.name)"
  }

  /// How far the rule had come; nil for a rule that is new.
  func place() async throws -> Place? {
    try await state.entry(placeKey).flatMap { try? $0.decode(Place.self) }
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

  /// Writes what has changed and, with the last of it, how far the rule has come.
  func save(_ changes: RuleTable.Changes, _ place: Place) async throws {
    var (saved, forgotten) = (changes.saved[...], changes.forgotten[...])
    repeat {
      let some = saved.prefix(Self.batch)
      saved = saved.dropFirst(Self.batch)
      let gone = forgotten.prefix(Self.batch - some.count)
      forgotten = forgotten.dropFirst(gone.count)
      let isLast = saved.isEmpty && forgotten.isEmpty
      try await state.transaction { state in
        for value in some { try state.set(name(value.key), to: value) }
        for key in gone { state.remove(name(key)) }
        if isLast { try state.set(placeKey, to: place) }
      }
    } while !(saved.isEmpty && forgotten.isEmpty)
  }

  /// A key of the state has at most 512 bytes.
  private func name(_ key: [JSONValue]) -> String {
    Self.short(prefix + JSONValue.array(key).text(), most: 500)
  }

  /// A text that is longer than it may be ends in a hash of all of it.
  static func short(_ name: String, most: Int) -> String {
    guard name.utf8.count > most else { return name }
    let hash = name.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3  // FNV-1a
    }
    var short = ""
    for scalar in name.unicodeScalars.prefix(100) { short.unicodeScalars.append(scalar) }
    return short + String(hash, radix: 16)
  }
}
