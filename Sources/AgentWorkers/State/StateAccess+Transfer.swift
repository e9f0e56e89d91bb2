package import AgentJSON
internal import AgentStore

/// Export and import of state as lines of JSON. Each line holds one key:
/// `{"owner": O, "key": K, "value": …, "version": n, "updated": ms}`.
extension StateAccess {
  /// Exports the state of one owner, or of all owners.
  /// - Parameter owner: the owner; `nil` for all.
  /// - Returns: a stream with one text for each owner. The text holds all lines of the owner, as
  ///   they were at one moment.
  /// - Throws: `notFound` if the owner doesn't exist, before the stream begins.
  package func export(
    _ owner: String? = nil
  ) async throws(HostError) -> AsyncThrowingStream<String, any Error> {
    // The owner is checked before the stream begins. After that, the status of the response can't
    // be changed.
    if let owner { _ = try await list(owner, limit: 1, values: false) }
    let owners = try await read { try $0.owners().map(\.owner) }
    let wanted = OwnersLeft(owner.map { [$0] } ?? owners)
    // The stream reads one owner at a time, so that the host never holds the state of all owners.
    return AsyncThrowingStream { [self] in
      guard let next = wanted.next() else { return nil }
      return try await read { try Self.lines(of: next, in: $0) }
    }
  }

  private static func lines(of owner: String, in state: any StateReader) throws -> String {
    var text = ""
    for row in try state.values(of: owner, prefix: "", after: nil, limit: .max) {
      var writer = JSONWriter()
      writer.beginObject()
      writer.key("owner")
      writer.string(owner)
      StateAnswers.members(of: row, to: &writer)
      writer.endObject()
      text += writer.text + "\n"
    }
    return text
  }

  /// Imports lines of an export in one transaction: all of them or none. It reads the `owner`, the
  /// `key` and the `value` of each line. It doesn't write a value that is stored already.
  /// - Parameter replacing: whether the keys that the lines don't name are removed from the owners
  ///   that the lines name.
  /// - Returns: the number of `owners` in the lines, and the numbers of keys that were `set`,
  ///   `removed` and `unchanged`.
  /// - Throws: `invalid` with the first ten invalid lines, or the error of the store.
  package func `import`(
    _ lines: [UInt8], replacing: Bool
  ) async throws(HostError) -> JSONValue {
    let wanted = try StateImport(lines)
    return try await write { [now] state in
      var set = 0
      var removed = 0
      var unchanged = 0
      for (owner, values) in wanted.owners {
        let present = try state.values(of: owner, prefix: "", after: nil, limit: .max)
        // Keys are compared by bytes. As `String`, two Unicode forms of é would be one key.
        let kept = Dictionary(
          present.map { (Array($0.key.utf8), $0.value) }, uniquingKeysWith: { $1 })
        // An unchanged key keeps its version. Therefore, a later write that expects this version
        // succeeds.
        var changes = values.filter { kept[Array($0.key.utf8)] != $0.value }
        set += changes.count
        unchanged += values.count - changes.count
        if replacing {
          let named = Set(values.map { Array($0.key.utf8) })
          let others = present.filter { !named.contains(Array($0.key.utf8)) }
          removed += others.count
          changes += others.map { StateChange(key: $0.key, value: nil) }
        }
        if !changes.isEmpty { try state.change(changes, of: owner, now: now()) }
      }
      return [
        "owners": JSONValue(wanted.owners.count), "set": JSONValue(set),
        "removed": JSONValue(removed), "unchanged": JSONValue(unchanged),
      ]
    }
  }
}
