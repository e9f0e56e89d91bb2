package import AgentJSON
internal import AgentStore

/// State as lines of JSON, one a key: `{"owner": O, "key": K, "value": …, "version": n, "updated":
/// ms}`.
extension StateAccess {
  /// The lines of one owner, or of all; a text holds an owner's, as they were at one moment.
  /// - Throws: when there is no such owner, before anything is read.
  package func export(
    _ owner: String? = nil
  ) async throws(HostError) -> AsyncThrowingStream<String, any Error> {
    // Now: once the stream has begun the status of the response can't be changed.
    if let owner { _ = try await list(owner, limit: 1, values: false) }
    let owners = try await read { try $0.owners().map(\.owner) }
    let wanted = OwnersLeft(owner.map { [$0] } ?? owners)
    // One owner at a time, so that the host never holds the state of all.
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

  /// Sets what lines say, all of it or nothing. It reads each `owner`, `key` and `value`; what is
  /// kept already isn't written again.
  /// - Parameter replacing: whether an owner that is named keeps nothing but what the lines say.
  /// - Returns: how many `owners` were named, and how many keys were `set`, `removed`, `unchanged`.
  /// - Throws: every line that is wrong.
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
        // By bytes and not by `String`, for which two forms of é are one key.
        let kept = Dictionary(
          present.map { (Array($0.key.utf8), $0.value) }, uniquingKeysWith: { $1 })
        // A key that is the same keeps its version, and nobody who expects that version is
        // refused.
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
