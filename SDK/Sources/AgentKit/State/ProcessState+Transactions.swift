extension ProcessState {
  /// How often a change is tried again that others come before.
  static let attempts = 100

  /// Changes the value of a key by what it is now. Others may change it at the same time: then
  /// `change` is called again with what they made of it, so it should do nothing else.
  ///
  /// ```swift
  /// let count = try await host.state.update("count", default: 0) { $0 += 1 }
  /// ```
  /// - Parameter initial: what a key has that isn't there.
  /// - Returns: the new value.
  @discardableResult
  public func update<T: Codable>(
    _ key: String, default initial: T, isolation: isolated (any Actor)? = #isolation,
    _ change: (inout T) throws -> Void
  ) async throws -> T {
    var value = initial
    try await transaction { state in
      value = try await state.get(key, as: T.self) ?? initial
      try change(&value)
      try state.set(key, to: value)
    }
    return value
  }

  /// Reads and changes several keys: all changes are stored, or none.
  ///
  /// If another write changes a key that `body` has read, nothing is stored and `body` is called
  /// again, at most 100 times. `body` should therefore do nothing but read and change keys. If
  /// `body` throws, nothing is changed and its error is thrown.
  ///
  /// ```swift
  /// try await host.state.transaction { state in
  ///   let stock = try await state.get("stock", as: Int.self) ?? 0
  ///   try state.set("stock", to: stock - 1)
  ///   try state.set("orders/\(id)", to: order)
  /// }
  /// ```
  public func transaction<Result>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: (inout StateTransaction) async throws -> Result
  ) async throws -> Result {
    var conflict = ModuleError(.conflict, "")
    for _ in 0..<Self.attempts {
      var transaction = StateTransaction(self)
      let result = try await body(&transaction)
      let changes = transaction.changes
      do {
        if !changes.isEmpty { try await write(changes) }
        return result
      } catch let error as ModuleError where error.code == .conflict {
        conflict = error
      }
    }
    throw ModuleError(
      .conflict,
      "A change of the state failed \(Self.attempts) times because of concurrent changes.",
      cause: conflict
    )
  }
}

/// The state as one transaction sees it and will leave it.
public struct StateTransaction: Sendable {
  private let state: ProcessState
  /// What was read, by the bytes of the key: two forms of é are two keys.
  private var read: [[UInt8]: StateEntry?] = [:]
  /// What is to be written; nil removes.
  private var written: [[UInt8]: JSONValue?] = [:]
  private var keys: [String] = []

  init(_ state: ProcessState) { self.state = state }

  /// The value of a key, as this transaction has left it; nil when it isn't there.
  public mutating func get(_ key: String) async throws -> JSONValue? {
    let bytes = Array(key.utf8)
    if let value = written[bytes] { return value }
    if let entry = read[bytes] { return entry?.value }
    let entry = try await state.entry(key)
    note(key)
    read[bytes] = .some(entry)
    return entry?.value
  }

  /// The value of a key as a `T`; nil when it isn't there. Throws when it is something else.
  public mutating func get<T: Decodable>(_ key: String, as type: T.Type) async throws -> T? {
    try await get(key)?.decode(type, ofState: key)
  }

  /// Sets a key when the transaction ends.
  public mutating func set(_ key: String, to value: some Encodable) throws {
    note(key)
    written[Array(key.utf8)] = try JSONValue(state: value)
  }

  /// Removes a key when the transaction ends.
  public mutating func remove(_ key: String) {
    note(key)
    written[Array(key.utf8)] = .some(nil)
  }

  private mutating func note(_ key: String) {
    let bytes = Array(key.utf8)
    if read[bytes] == nil && written[bytes] == nil { keys.append(key) }
  }

  /// What is to be written; empty when nothing is. What was only read must not have changed.
  var changes: [StateChange] {
    guard !written.isEmpty else { return [] }
    return keys.map { key in
      let bytes = Array(key.utf8)
      let expected = read[bytes].map { $0?.version ?? 0 }
      guard let value = written[bytes] else { return StateChange(key, .none, expected: expected) }
      return StateChange(key, value.map { .set($0) } ?? .remove, expected: expected)
    }
  }
}
