extension ProcessState {
  /// How often a change is tried when other changes come first.
  static let attempts = 100

  /// Changes a key's value based on its current value. If another write changes it at the same
  /// time, `change` is called again with the new value, so it should have no other effects.
  ///
  /// ```swift
  /// let count = try await host.state.update("count", default: 0) { $0 += 1 }
  /// ```
  /// - Parameter initial: the value of a key that doesn't exist.
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

/// The state as one transaction sees and changes it.
public struct StateTransaction: Sendable {
  private let state: ProcessState
  /// Entries that were read, by the bytes of the key: two forms of é are two keys.
  private var read: [[UInt8]: StateEntry?] = [:]
  /// Values to write; nil removes the key.
  private var written: [[UInt8]: JSONValue?] = [:]
  private var keys: [String] = []

  init(_ state: ProcessState) { self.state = state }

  /// A key's value, including this transaction's changes; nil when the key doesn't exist.
  public mutating func get(_ key: String) async throws -> JSONValue? {
    let bytes = Array(key.utf8)
    if let value = written[bytes] { return value }
    if let entry = read[bytes] { return entry?.value }
    let entry = try await state.entry(key)
    note(key)
    read[bytes] = .some(entry)
    return entry?.value
  }

  /// A key's value as a `T`; nil when the key doesn't exist. Throws when the value is something
  /// else.
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

  /// The changes to store; empty when nothing was written. Keys that were only read must be
  /// unchanged.
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
