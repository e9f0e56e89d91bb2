/// A value of the key-value store.
public struct StateRow: Sendable, Hashable {
  /// The process of the agent that owns it.
  public let owner: String
  public let key: String
  /// JSON text in UTF-8.
  public let value: [UInt8]
  /// The number of the change that set it, counted for each owner. Values that were set together
  /// share it.
  public let version: Int64
  /// When it was set, in Unix milliseconds.
  public let updated: Int64
}

/// A key without its value.
public struct StateKey: Sendable, Hashable {
  public let key: String
  /// The version of its value; see ``StateRow/version``.
  public let version: Int64
  /// When the value was set, in Unix milliseconds.
  public let updated: Int64
  /// The length of the value.
  public let bytes: Int64
}

/// A former value of a key, or its removal.
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
  /// The version that the key must have; 0 for a key that must not exist, nil for any.
  public var expected: Int64?
  /// Whether the key stays as it is, and only its version is compared.
  public private(set) var isCheck = false

  /// Makes a change.
  public init(key: String, value: [UInt8]?, expected: Int64? = nil) {
    self.key = key
    self.value = value
    self.expected = expected
  }

  /// Changes nothing, and makes the other changes fail when the key has another version.
  public static func check(_ key: String, expected: Int64) -> StateChange {
    var change = StateChange(key: key, value: nil, expected: expected)
    change.isCheck = true
    return change
  }
}

/// How much an owner holds.
public struct StateOwner: Sendable, Hashable {
  public let owner: String
  public let count: Int64
  /// The bytes of keys and values; history isn't counted.
  public let bytes: Int64
  /// The version of the latest change.
  public let version: Int64
}

/// How much an owner may hold.
public struct StateLimits: Sendable, Hashable {
  /// The most bytes of a key, in UTF-8.
  public var keyBytes = 512
  /// The most bytes of a value.
  public var valueBytes = 1 << 20
  /// The most keys of an owner.
  public var ownerKeys: Int64 = 100_000
  /// The most bytes of an owner's keys and values together.
  public var ownerBytes: Int64 = 64 << 20
  /// The most former versions of a key that are kept.
  public var history = 10
  /// The most bytes of an owner's former versions. The oldest are dropped first.
  public var historyBytes: Int64 = 64 << 20

  /// The limits of docs/state.md.
  public init() {}
}
