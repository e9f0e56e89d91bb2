/// A value of the key-value store.
public struct StateRow: Sendable, Hashable {
  /// The process of the agent that owns the value.
  public let owner: String
  public let key: String
  /// The value as JSON text in UTF-8.
  public let value: [UInt8]
  /// The number of the change that set it, counted for each owner. Values that were set together
  /// have the same version.
  public let version: Int64
  /// The time of the change in Unix milliseconds.
  public let updated: Int64
}

/// A key without its value.
public struct StateKey: Sendable, Hashable {
  public let key: String
  /// The version of the value; see ``StateRow/version``.
  public let version: Int64
  /// The time when the value was set, in Unix milliseconds.
  public let updated: Int64
  /// The length of the value in bytes.
  public let bytes: Int64
}

/// A former value of a key, or its removal.
public struct StateVersion: Sendable, Hashable {
  /// The version; see ``StateRow/version``.
  public let version: Int64
  /// The value as JSON text in UTF-8; `nil` if the key was removed.
  public let value: [UInt8]?
  /// The time of the change in Unix milliseconds.
  public let updated: Int64
}

/// A change of one key.
public struct StateChange: Sendable, Hashable {
  /// The key, which must not be empty.
  public var key: String
  /// The value as JSON text in UTF-8; `nil` removes the key.
  public var value: [UInt8]?
  /// The version that the key must have; 0 for a key that must not exist, `nil` for any version.
  public var expected: Int64?
  /// Whether only the version is compared and the key isn't changed.
  public private(set) var isCheck = false

  /// Creates a change.
  public init(key: String, value: [UInt8]?, expected: Int64? = nil) {
    self.key = key
    self.value = value
    self.expected = expected
  }

  /// Creates a check. It changes nothing, but the other changes fail if the key has another
  /// version.
  public static func check(_ key: String, expected: Int64) -> StateChange {
    var change = StateChange(key: key, value: nil, expected: expected)
    change.isCheck = true
    return change
  }
}

/// The usage of an owner.
public struct StateOwner: Sendable, Hashable {
  public let owner: String
  public let count: Int64
  /// The size of keys and values in bytes, without the history.
  public let bytes: Int64
  /// The version of the latest change.
  public let version: Int64
}

/// The limits of an owner.
public struct StateLimits: Sendable, Hashable {
  /// The longest key in bytes of UTF-8.
  public var keyBytes = 512
  /// The largest value in bytes.
  public var valueBytes = 1 << 20
  /// The largest number of keys.
  public var ownerKeys: Int64 = 100_000
  /// The largest total size of keys and values in bytes.
  public var ownerBytes: Int64 = 64 << 20
  /// The largest number of former versions of a key.
  public var history = 10
  /// The largest total size of former versions in bytes. The oldest are removed first.
  public var historyBytes: Int64 = 64 << 20

  /// Creates the default limits (docs/state.md).
  public init() {}
}
