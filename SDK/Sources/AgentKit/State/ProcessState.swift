/// State that a process keeps over restarts: JSON values by key. A value is durable once the call
/// has returned: it survives the end of the worker, of the host and of the machine.
///
/// The keys belong to the process of that name in the settings. A module's contributions that are
/// no processes share the keys of the module. Nothing is cached: each call asks the host, so the
/// next call sees what a person has edited.
///
/// In `init` and before the start, read but don't write: the predecessor may still be running.
/// Calls continue in a cancelled task, so `run()` can save state when it is asked to end.
public struct ProcessState: Sendable {
  let services: any HostServices

  /// A key's value; nil when the key doesn't exist.
  public func get(_ key: String) async throws -> JSONValue? {
    try await entry(key)?.value
  }

  /// A key's value as a `T`; nil when the key doesn't exist. Throws when the value is something
  /// else.
  public func get<T: Decodable>(_ key: String, as type: T.Type) async throws -> T? {
    try await entry(key)?.decode(type)
  }

  /// A key's value with its version; nil when the key doesn't exist.
  public func entry(_ key: String) async throws -> StateEntry? {
    try await entries([key]).first
  }

  /// The values of several keys at one moment, in the order of `keys`; keys that don't exist are
  /// left out. At most 1000 keys, and 16 MiB of values.
  public func entries(_ keys: [String]) async throws -> [StateEntry] {
    let input: JSONValue = ["keys": .array(keys.map { .string($0) })]
    return try await call("get", input)["entries"]?.elements.map(StateEntry.init(_:)) ?? []
  }

  /// Sets a key. With `expected`, only if the key has that version; 0 means that it doesn't exist.
  /// Throws `.conflict` when it has another version.
  /// - Returns: the new version.
  @discardableResult
  public func set(
    _ key: String, to value: some Encodable, expected: Int64? = nil
  ) async throws -> Int64 {
    try await write([StateChange(key, .set(try .init(state: value)), expected: expected)])
  }

  /// Removes a key if it exists. With `expected`, only if it has that version. Throws `.conflict`
  /// when it has another version.
  public func remove(_ key: String, expected: Int64? = nil) async throws {
    try await write([StateChange(key, .remove, expected: expected)])
  }

  /// All keys that start with `prefix`, sorted by their bytes.
  public func keys(prefix: String = "") async throws -> [String] {
    var keys: [String] = []
    while true {
      var input: JSONObject = ["prefix": .string(prefix), "values": false, "limit": 1000]
      input["after"] = keys.last.map { .string($0) }
      let page = try await call("list", .object(input))
      keys += page["entries"]?.elements.compactMap { $0["key"]?.string } ?? []
      guard page["truncated"]?.bool == true else { return keys }
    }
  }

  /// A key's versions, the latest first, beginning with the current one. Only the last versions are
  /// kept.
  public func history(_ key: String) async throws -> [StateVersion] {
    let answer = try await call("history", ["key": .string(key)])
    return answer["versions"]?.elements.map(StateVersion.init(_:)) ?? []
  }

  /// The limits of the state, and how much of them is used.
  public func limits() async throws -> StateLimits {
    StateLimits(try await call("limits", [:]))
  }

  // MARK: Asking

  @discardableResult
  func write(_ changes: [StateChange]) async throws -> Int64 {
    let answer = try await call("write", ["changes": .array(changes.map(\.json))])
    return Int64(answer["version"]?.int ?? 0)
  }

  private func call(_ method: String, _ input: JSONValue) async throws -> JSONNode {
    let answer = try await services.call("state/1", method: method, input: input.bytes())
    return try JSONDocument(parsing: answer).root
  }
}
