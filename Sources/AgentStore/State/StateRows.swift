/// A value of the key-value store.
public struct StateRow: Sendable, Hashable {
  /// Whose it is: a process of the agent.
  public let owner: String
  /// Its key.
  public let key: String
  /// JSON text in UTF-8.
  public let value: [UInt8]
  /// Grows with each change of the owner's values; two values never share one.
  public let version: Int64
  /// When it was set, in Unix milliseconds.
  public let updated: Int64
}

/// A key without its value.
public struct StateKey: Sendable, Hashable {
  /// The key.
  public let key: String
  /// The version of its value; see ``StateRow/version``.
  public let version: Int64
  /// When that was set, in Unix milliseconds.
  public let updated: Int64
  /// How long the value is.
  public let bytes: Int64
}

/// What a key held, or that it was removed.
public struct StateVersion: Sendable, Hashable {
  /// The version; see ``StateRow/version``.
  public let version: Int64
  /// JSON text in UTF-8; nil where the key was removed.
  public let value: [UInt8]?
  /// When that happened, in Unix milliseconds.
  public let updated: Int64
}

/// A change of one key.
public struct StateChange: Sendable, Hashable {
  /// The key; not empty.
  public var key: String
  /// JSON text in UTF-8; nil removes the key.
  public var value: [UInt8]?
  /// The version that the key must have, 0 for a key that must not exist; nil for whatever it is.
  public var expected: Int64?
  /// Whether the key stays as it is: only its version is compared, with that of the other keys.
  public private(set) var isCheck = false

  /// Makes a change.
  public init(key: String, value: [UInt8]?, expected: Int64? = nil) {
    self.key = key
    self.value = value
    self.expected = expected
  }

  /// Changes nothing, and lets the other changes fail when the key has another version.
  public static func check(_ key: String, expected: Int64) -> StateChange {
    var change = StateChange(key: key, value: nil, expected: expected)
    change.isCheck = true
    return change
  }
}

/// How much an owner holds.
public struct StateOwner: Sendable, Hashable {
  /// Whose values.
  public let owner: String
  /// How many keys.
  public let count: Int64
  /// The bytes of keys and values; history isn't counted.
  public let bytes: Int64
  /// The version of the latest change.
  public let version: Int64
}

/// How much an owner may hold.
public struct StateLimits: Sendable, Hashable {
  /// The longest key, in bytes of UTF-8.
  public var keyBytes = 512
  /// The largest value, in bytes.
  public var valueBytes = 1 << 20
  /// How many keys an owner may have.
  public var ownerKeys: Int64 = 100_000
  /// Keys and values of an owner together, in bytes.
  public var ownerBytes: Int64 = 64 << 20
  /// How many former versions of a key are kept.
  public var history = 10
  /// The bytes of an owner's former versions; the oldest are dropped first.
  public var historyBytes: Int64 = 64 << 20

  /// The usual limits.
  public init() {}
}
