internal import AgentKit

extension TestState {
  /// Answers a call of `state/1` as the host does.
  mutating func call(
    _ method: String, _ input: [UInt8], of owner: String, now: Int64
  ) throws(ModuleError) -> JSONValue {
    let request = try TestStateRequest(method, input)
    switch method {
    case "get": return try get(try request.keys())
    case "list": return try list(request)
    case "write":
      try change(try request.changes(), of: owner, now: now)
      return ["version": JSONValue(version)]
    case "history":
      return ["versions": .array(versions(of: try request.key(in: request.root)).map(\.json))]
    default: return limits
    }
  }

  private static let maxBytes = 16 << 20

  private func get(_ keys: [String]) throws(ModuleError) -> JSONValue {
    var (entries, size) = ([JSONValue](), 0)
    var asked: Set<Key> = []
    for key in keys {
      let bytes = Array(key.utf8)
      guard asked.insert(bytes).inserted, let value = values[bytes] else { continue }
      entries.append(value.json(of: bytes))
      size += value.bytes
    }
    guard size <= Self.maxBytes else {
      throw ModuleError(
        .invalidArgument,
        "These \(keys.count) values have more than \(Self.maxBytes) bytes together, which is "
          + "the most in one answer. Ask for fewer keys at a time.")
    }
    return ["entries": .array(entries)]
  }

  private func list(_ request: TestStateRequest) throws(ModuleError) -> JSONValue {
    let limit = try request.limit()
    let hasValues = try request.hasValues()
    let found = keys(prefix: try request.text("prefix") ?? "", after: try request.text("after"))
    var (entries, size) = ([JSONValue](), 0)
    for key in found.prefix(limit) where !hasValues || entries.isEmpty || size < Self.maxBytes {
      guard let value = values[key] else { continue }
      entries.append(hasValues ? value.json(of: key) : value.summary(of: key))
      size += value.bytes
    }
    return ["entries": .array(entries), "truncated": .bool(found.count > entries.count)]
  }

  private var limits: JSONValue {
    [
      "key_bytes": JSONValue(Self.keyBytes), "value_bytes": JSONValue(Self.valueBytes),
      "owner_keys": JSONValue(Self.ownerKeys), "owner_bytes": JSONValue(Self.ownerBytes),
      "history": JSONValue(Self.historyLength),
      "history_bytes": JSONValue(Self.historyBytes),
      "used": ["keys": JSONValue(values.count), "bytes": JSONValue(bytes)],
    ]
  }
}

extension TestState.Value {
  func json(of key: TestState.Key) -> JSONValue {
    [
      "key": .string(String(decoding: key, as: UTF8.self)), "value": json,
      "version": JSONValue(version), "updated": JSONValue(updated),
    ]
  }

  func summary(of key: TestState.Key) -> JSONValue {
    [
      "key": .string(String(decoding: key, as: UTF8.self)), "bytes": JSONValue(bytes),
      "version": JSONValue(version), "updated": JSONValue(updated),
    ]
  }
}

extension TestState.Version {
  var json: JSONValue {
    var json: JSONObject = ["version": JSONValue(version), "updated": JSONValue(updated)]
    json[value == nil ? "removed" : "value"] = value ?? true
    return .object(json)
  }
}
