/// A key of a process's state with its value.
public struct StateEntry: Sendable, Hashable {
  /// The key.
  public var key: String
  /// The value.
  public var value: JSONValue
  /// Grows with each change of the process's state; keys that were set together have the same
  /// version.
  public var version: Int64
  /// When it was set, in Unix milliseconds.
  public var updated: Int64

  init(_ node: JSONNode) {
    key = node["key"]?.string ?? ""
    value = node["value"]?.value ?? .null
    version = Int64(node["version"]?.int ?? 0)
    updated = Int64(node["updated"]?.int ?? 0)
  }

  /// The value as a `T`. Throws when it is something else.
  public func decode<T: Decodable>(_ type: T.Type = T.self) throws -> T {
    try value.decode(type, ofState: key)
  }
}

/// A version of a key.
public struct StateVersion: Sendable, Hashable {
  /// The version.
  public var version: Int64
  /// The value; nil when this version removed the key.
  public var value: JSONValue?
  /// When the version was written, in Unix milliseconds.
  public var updated: Int64

  init(_ node: JSONNode) {
    version = Int64(node["version"]?.int ?? 0)
    value = node["value"]?.value
    updated = Int64(node["updated"]?.int ?? 0)
  }
}

/// The limits of a process's state, and how much of them is used.
public struct StateLimits: Sendable, Hashable {
  /// The longest key, in bytes of UTF-8.
  public var keyBytes: Int
  /// The largest value, in bytes of compact JSON.
  public var valueBytes: Int
  /// The largest number of keys.
  public var keys: Int
  /// The largest size of keys and values together, in bytes.
  public var bytes: Int
  /// How many earlier versions of a key are kept.
  public var history: Int
  /// The number of keys in use.
  public var usedKeys: Int
  /// The size of the keys and values in use, in bytes.
  public var usedBytes: Int

  init(_ node: JSONNode) {
    keyBytes = node["key_bytes"]?.int ?? 0
    valueBytes = node["value_bytes"]?.int ?? 0
    keys = node["owner_keys"]?.int ?? 0
    bytes = node["owner_bytes"]?.int ?? 0
    history = node["history"]?.int ?? 0
    usedKeys = node["used"]?["keys"]?.int ?? 0
    usedBytes = node["used"]?["bytes"]?.int ?? 0
  }
}

/// A change of one key, as it travels.
struct StateChange: Sendable {
  enum Effect: Sendable {
    case set(JSONValue)
    case remove
    /// Only the version is compared.
    case none
  }

  let key: String
  let effect: Effect
  let expected: Int64?

  init(_ key: String, _ effect: Effect, expected: Int64?) {
    self.key = key
    self.effect = effect
    self.expected = expected
  }

  var json: JSONValue {
    var change: JSONObject = ["key": .string(key)]
    switch effect {
    case .set(let value): change["value"] = value
    case .remove: change["remove"] = true
    case .none: break
    }
    change["expected"] = expected.map { JSONValue($0) }
    return .object(change)
  }
}

extension JSONValue {
  /// A value to keep.
  init(state value: some Encodable) throws {
    self = if let json = value as? JSONValue { json } else { try JSONValue(encoding: value) }
  }

  func decode<T: Decodable>(_ type: T.Type, ofState key: String) throws -> T {
    do {
      return try decode(type)
    } catch {
      throw ModuleError(
        .failed,
        "The state's value of \"\(key)\" doesn't have the type that this version of the module "
          + "stores.",
        cause: error)
    }
  }
}
