internal import AgentKit

/// The state of a process under test: the rules of the host's `state/1`, in memory.
struct TestState: Sendable {
  /// A key by its bytes: two forms of é are two keys.
  typealias Key = [UInt8]

  struct Value: Sendable {
    let json: JSONValue
    let bytes: Int
    let version: Int
    let updated: Int64
  }

  /// A version of a key; without a value it removed the key.
  struct Version: Sendable {
    let version: Int
    let updated: Int64
    let value: JSONValue?
    let bytes: Int
  }

  struct Change: Sendable {
    enum Effect: Sendable { case set(JSONValue, bytes: Int), remove, check }
    let key: String
    let effect: Effect
    let expected: Int?
  }

  static let keyBytes = 512
  static let valueBytes = 1 << 20
  static let ownerKeys = 100_000
  static let ownerBytes = 64 << 20
  static let historyLength = 10
  static let historyBytes = 64 << 20

  private(set) var values: [Key: Value] = [:]
  private(set) var version = 0
  private(set) var bytes = 0
  private var history: [Key: [Version]] = [:]
  private var historyBytes = 0

  /// The keys with a prefix that come after another, sorted.
  func keys(prefix: String, after: String?) -> [Key] {
    let (prefix, after) = (Array(prefix.utf8), after.map { Array($0.utf8) })
    return values.keys.filter { key in
      key.starts(with: prefix) && (after.map { $0.lexicographicallyPrecedes(key) } ?? true)
    }.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// A key's versions, the latest first, beginning with the current one.
  func versions(of key: String) -> [Version] {
    let bytes = Array(key.utf8)
    let present = values[bytes].map {
      Version(version: $0.version, updated: $0.updated, value: $0.json, bytes: $0.bytes)
    }
    return (present.map { [$0] } ?? []) + (history[bytes] ?? []).reversed()
  }

  /// Makes all changes, or none.
  mutating func change(_ changes: [Change], of owner: String, now: Int64) throws(ModuleError) {
    try check(changes, of: owner)
    let effective = changes.filter { change in
      switch change.effect {
      case .set: true
      case .remove: values[Array(change.key.utf8)] != nil
      case .check: false
      }
    }
    guard !effective.isEmpty else { return }
    version += 1
    for change in effective { apply(change, now) }
    dropOldHistory()
  }

  // MARK: Checks

  private func check(_ changes: [Change], of owner: String) throws(ModuleError) {
    var seen: Set<Key> = []
    var (bytes, count) = (bytes, values.count)
    for change in changes {
      let key = Array(change.key.utf8)
      let present = values[key]
      guard !key.isEmpty, key.count <= Self.keyBytes else {
        throw ModuleError(
          .invalidArgument,
          "A key of \(owner)'s state has \(key.count) bytes; it needs 1 to \(Self.keyBytes).")
      }
      guard seen.insert(key).inserted else {
        throw ModuleError(
          .invalidArgument,
          "The key \"\(change.key)\" of \(owner)'s state is changed twice at once.")
      }
      if let expected = change.expected, expected != present?.version ?? 0 {
        let place = "\"\(change.key)\" of \(owner)'s state"
        throw ModuleError(
          .conflict,
          present.map { "\(place) has version \($0.version), not \(expected). Read it again." }
            ?? "\(place) isn't there; version \(expected) was expected. Read it again.")
      }
      switch change.effect {
      case .check: continue
      case .remove: break
      case .set(_, let size):
        guard size <= Self.valueBytes else {
          throw ModuleError(
            .invalidArgument,
            "The value of \"\(change.key)\" of \(owner)'s state has \(size) bytes; "
              + "\(Self.valueBytes) is the most. Split it, or keep it in a file.")
        }
        bytes += key.count + size
        count += 1
      }
      bytes -= present.map { key.count + $0.bytes } ?? 0
      count -= present == nil ? 0 : 1
    }
    guard bytes <= self.bytes || bytes <= Self.ownerBytes else {
      throw ModuleError(
        .invalidArgument,
        "\(owner)'s state would have \(bytes) bytes; \(Self.ownerBytes) is the most. Remove keys "
          + "that nobody needs.")
    }
    guard count <= values.count || count <= Self.ownerKeys else {
      throw ModuleError(
        .invalidArgument,
        "\(owner)'s state would have \(count) keys; \(Self.ownerKeys) is the most. Remove keys that "
          + "nobody needs, or keep several things under one key.")
    }
  }

  // MARK: Changes

  private mutating func apply(_ change: Change, _ now: Int64) {
    let key = Array(change.key.utf8)
    if let present = values.removeValue(forKey: key) {
      bytes -= key.count + present.bytes
      keep(
        Version(
          version: present.version, updated: present.updated, value: present.json,
          bytes: present.bytes), of: key)
    }
    switch change.effect {
    case .check: break
    case .remove: keep(Version(version: version, updated: now, value: nil, bytes: 0), of: key)
    case .set(let json, let size):
      values[key] = Value(json: json, bytes: size, version: version, updated: now)
      bytes += key.count + size
    }
  }

  private mutating func keep(_ former: Version, of key: Key) {
    history[key, default: []].append(former)
    historyBytes += key.count + former.bytes
    while history[key]?.count ?? 0 > Self.historyLength { dropOldest(of: key) }
  }

  private mutating func dropOldest(of key: Key) {
    guard let dropped = history[key]?.removeFirst() else { return }
    historyBytes -= key.count + dropped.bytes
    if history[key]?.isEmpty == true { history[key] = nil }
  }

  private mutating func dropOldHistory() {
    while historyBytes > Self.historyBytes {
      let oldest = history.min { ($0.value.first?.version ?? 0) < ($1.value.first?.version ?? 0) }
      guard let oldest else { return }
      dropOldest(of: oldest.key)
    }
  }
}
