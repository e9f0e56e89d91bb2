package import AgentJSON
internal import AgentModules
package import AgentSettings
package import AgentStore
internal import AgentSystem
internal import AgentText
internal import JSONSchema

/// Access to the state of processes for people: through the API of a running agent, and with the
/// database of a stopped one. The lease doesn't apply. docs/state.md has the shapes.
///
/// Everything throws `HostError` with a sentence for the person who asked.
package struct StateAccess: Sendable {
  let store: any Store
  /// The names that may own state although nothing is kept yet; nil when they aren't known.
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

  /// The names that may own state: the processes, and the service workers of modules.
  package static func names(in settings: AgentSettings) -> Set<String> {
    Set(settings.processes.map(\.name) + settings.modules.map { "module:\($0.manifest.name)" })
  }

  // MARK: Looking

  /// Everyone who keeps something, with how much it is.
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

  /// A page of an owner's keys: `entries` and `truncated`.
  /// - Parameter limit: 1 to 1000.
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

  /// A key: `owner`, `key`, `value`, `version`, `updated`.
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

  /// The versions of a key, the present one first.
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

  /// Sets a key to JSON text.
  /// - Parameter expected: the version that it must have, 0 for a key that must not be there.
  /// - Returns: `version`.
  package func set(
    _ owner: String, _ key: String, to json: [UInt8], expected: Int64? = nil
  ) async throws(HostError) -> JSONValue {
    if let problem = StateNames.problem(withKey: key) { throw HostError(.invalid, problem) }
    let value = try Self.value(json).bytes()
    return try await change(
      owner, StateChange(key: key, value: value, expected: expected))
  }

  /// Removes a key.
  /// - Returns: `version`, that of its removal.
  package func remove(
    _ owner: String, _ key: String, expected: Int64? = nil
  ) async throws(HostError) -> JSONValue {
    try await change(owner, StateChange(key: key, value: nil, expected: expected))
  }

  /// Forgets an owner as if it had never kept anything: values, history and versions.
  ///
  /// Nobody may count on versions of before: who owns it mustn't run.
  /// - Returns: `keys` and `bytes`, how much it was.
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

  /// Reads JSON that may be kept, or says where it is wrong.
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
      // In the same transaction, so the key can't go in between.
      if change.value == nil, try state.value(change.key, of: owner) == nil {
        throw try missing(change.key, of: owner, in: state)
      }
      return ["version": JSONValue(try state.change([change], of: owner, now: now()))]
    }
  }

  // MARK: What isn't there

  private func check(_ owner: String, in state: any StateReader) throws {
    if try state.owner(owner) != nil { return }
    // A name of the settings that keeps nothing yet is an owner without keys, and no error.
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
      // The client sent a version that it expects, and RFC 9110 has 412 for that.
      case .conflict: .preconditionFailed
      case .invalid: .invalid
      default: .notReady
      }
    return HostError(code, error.description)
  }
}
