package import AgentJSON
internal import AgentModules
package import AgentSettings
package import AgentStore
internal import AgentSystem
internal import AgentText
internal import JSONSchema

/// Reads and edits the state of processes for people. The API of a running agent uses it, and so do
/// commands that open the database of a stopped agent. The lease doesn't apply. docs/state.md has
/// the shapes of the results.
///
/// All methods throw `HostError`. Its message is a sentence for the person who made the request.
package struct StateAccess: Sendable {
  let store: any Store
  /// The names that may own state, even if nothing is stored for them yet. `nil` if the names
  /// aren't known; then every name is accepted.
  let names: Set<String>?
  let now: @Sendable () -> Int64

  package init(
    store: any Store, names: Set<String>?,
    now: @escaping @Sendable () -> Int64 = { Timestamp.now() }
  ) {
    self.store = store
    self.names = names
    self.now = now
  }

  /// Returns the names that may own state: the processes, and the service workers of modules as
  /// `module:NAME`.
  package static func names(in settings: AgentSettings) -> Set<String> {
    Set(settings.processes.map(\.name) + settings.modules.map { "module:\($0.manifest.name)" })
  }

  // MARK: Reading

  /// Returns all owners of state.
  /// - Returns: `owners`, a list of objects with `owner`, `keys`, `bytes` and `version`.
  package func owners() async throws(HostError) -> JSONValue {
    try await read { state in
      let owners = try state.owners().map { owner -> JSONValue in
        [
          "owner": .string(owner.owner), "keys": JSONValue(owner.count),
          "bytes": JSONValue(owner.bytes), "version": JSONValue(owner.version),
        ]
      }
      return ["owners": .array(owners)]
    }
  }

  /// Returns a page of an owner's keys.
  /// - Parameters:
  ///   - prefix: only keys that begin with it are included.
  ///   - after: only keys after this one are included; `nil` begins with the first key.
  ///   - limit: the maximum number of keys, 1 to 1000; `nil` for 100.
  ///   - values: whether an entry has its value. Otherwise it has the length of the value in bytes.
  /// - Returns: `entries` and `truncated`.
  /// - Throws: `invalid` for another limit, `notFound` if the owner doesn't exist.
  package func list(
    _ owner: String, prefix: String = "", after: String? = nil, limit: Int? = nil,
    values: Bool = true
  ) async throws(HostError) -> JSONValue {
    let limit = limit ?? StateListing.usualLimit
    guard (1...StateRequest.maxCount).contains(limit) else {
      throw HostError(.invalid, "limit must be a number from 1 to \(StateRequest.maxCount).")
    }
    let listing = StateListing(prefix: prefix, after: after, limit: limit, hasValues: values)
    return try await read { [self] state in
      try check(owner, in: state)
      return try JSONValue(parsing: StateAnswers.answer(.list(listing), of: owner, in: state))
    }
  }

  /// Returns a key.
  /// - Returns: `owner`, `key`, `value`, `version` and `updated`, in Unix milliseconds.
  /// - Throws: `notFound` if the owner or the key doesn't exist.
  package func entry(_ owner: String, _ key: String) async throws(HostError) -> JSONValue {
    try await read { [self] state in
      try check(owner, in: state)
      guard let row = try state.value(key, of: owner) else {
        throw try missing(key, of: owner, in: state)
      }
      return [
        "owner": .string(owner), "key": .string(key),
        "value": try JSONValue(parsing: row.value), "version": JSONValue(row.version),
        "updated": JSONValue(row.updated),
      ]
    }
  }

  /// Returns the versions of a key, the current one first.
  /// - Throws: `notFound` if the owner doesn't exist or the key has no version.
  package func history(_ owner: String, _ key: String) async throws(HostError) -> JSONValue {
    try await read { [self] state in
      try check(owner, in: state)
      let answer = try JSONValue(
        parsing: StateAnswers.answer(.history(key), of: owner, in: state))
      guard answer["versions"]?.array?.isEmpty == false else {
        throw try missing(key, of: owner, in: state)
      }
      return answer
    }
  }

  // MARK: Changing

  /// Sets a key to a value.
  /// - Parameters:
  ///   - json: the value as JSON text.
  ///   - expected: the version that the key must have. 0 means that the key must not exist. `nil`
  ///     for any version.
  /// - Returns: `version`, the new version of the key.
  /// - Throws: `invalid` for a key or a value that can't be stored, `notFound` if the owner doesn't
  ///   exist, `preconditionFailed` if the key has another version.
  package func set(
    _ owner: String, _ key: String, to json: [UInt8], expected: Int64? = nil
  ) async throws(HostError) -> JSONValue {
    if let problem = StateNames.problem(withKey: key) { throw HostError(.invalid, problem) }
    let value = try Self.value(json).bytes()
    return try await change(
      owner, StateChange(key: key, value: value, expected: expected))
  }

  /// Removes a key.
  /// - Parameter expected: the version that the key must have; `nil` for any version.
  /// - Returns: `version`, the version of the removal.
  /// - Throws: `notFound` if the owner or the key doesn't exist, `preconditionFailed` if the key
  ///   has another version.
  package func remove(
    _ owner: String, _ key: String, expected: Int64? = nil
  ) async throws(HostError) -> JSONValue {
    try await change(owner, StateChange(key: key, value: nil, expected: expected))
  }

  /// Removes an owner with its values, its history and its versions, as if it had never stored
  /// anything.
  ///
  /// The process must not run, because it may rely on versions that it has read.
  /// - Returns: `keys` and `bytes`, the number and the size of the removed values.
  /// - Throws: `notFound` if the owner has no state or doesn't exist.
  package func forget(_ owner: String) async throws(HostError) -> JSONValue {
    try await write { [self] state in
      guard let row = try state.owner(owner) else {
        try check(owner, in: state)
        throw HostError(.notFound, "\(owner) has no state.")
      }
      try state.forget(owner: owner)
      return ["keys": JSONValue(row.count), "bytes": JSONValue(row.bytes)]
    }
  }

  /// Parses a value that is to be stored.
  /// - Throws: `invalid` with the line and the column of the error. A value that is nested too
  ///   deeply is an error too.
  package static func value(_ json: [UInt8]) throws(HostError) -> JSONValue {
    do {
      let limits = JSONLimits(maxDepth: StateRequest.maxDepth)
      return try JSONDocument(parsing: json, limits: limits).root.value
    } catch {
      throw HostError(
        .invalid,
        "The value isn't JSON: line \(error.place.line), column \(error.place.column): "
          + error.message)
    }
  }

  private func change(_ owner: String, _ change: StateChange) async throws(HostError) -> JSONValue {
    try await write { [self] state in
      try check(owner, in: state)
      // The check is in the same transaction, so that the key can't be removed before the change.
      if change.value == nil, try state.value(change.key, of: owner) == nil {
        throw try missing(change.key, of: owner, in: state)
      }
      return ["version": JSONValue(try state.change([change], of: owner, now: now()))]
    }
  }

  // MARK: Missing owners and keys

  private func check(_ owner: String, in state: any StateReader) throws {
    if try state.owner(owner) != nil { return }
    // A name of the settings for which nothing is stored yet is an owner without keys. It is no
    // error.
    guard let names, !names.contains(owner) else { return }
    let nearest = NameSuggestion.of(owner, among: names.union(try state.owners().map(\.owner)))
    throw HostError(
      .notFound,
      "There is no process \"\(owner)\", and there is no state of one."
        + NameSuggestion.question(
          nearest, otherwise: " \"agent state show\" lists all owners of state.")
    )
  }

  private func missing(
    _ key: String, of owner: String, in state: any StateReader
  ) throws -> HostError {
    let keys = try state.keys(of: owner, prefix: "", after: nil, limit: 1000).map(\.key)
    let nearest = NameSuggestion.of(key, among: keys)
    return HostError(
      .notFound,
      "\(owner) has no key \"\(key)\"."
        + NameSuggestion.question(
          nearest, otherwise: " \"agent state show \(owner)\" lists its keys."))
  }

  // MARK: The store

  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any StateReader) throws -> Value
  ) async throws(HostError) -> Value {
    do {
      return try await store.read { try body($0.state) }
    } catch {
      throw Self.error(error)
    }
  }

  func write<Value: Sendable>(
    _ body: @escaping @Sendable (any StateStorage) throws -> Value
  ) async throws(HostError) -> Value {
    do {
      return try await store.write { try body($0.state) }
    } catch {
      throw Self.error(error)
    }
  }

  private static func error(_ error: any Error) -> HostError {
    if let error = error as? HostError { return error }
    guard let error = error as? StoreError else { return HostError(.failed, "\(error)") }
    let code: HostError.Code =
      switch error.code {
      // The client sent the version that it expects. RFC 9110 defines status 412 for this case.
      case .conflict: .preconditionFailed
      case .invalid: .invalid
      default: .notReady
      }
    return HostError(code, error.description)
  }
}
