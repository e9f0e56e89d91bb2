/// A member of an object in a document.
public struct JSONMember: Sendable {
  let storage: JSONStorage
  let index: Int

  /// The key, unescaped.
  public var key: String { storage.string(at: index) }

  /// The offset of the key's opening quote.
  public var keyOffset: Int { Int(storage.records[index].start) }

  /// The bytes of the key, including its quotes.
  public var keyRange: Range<Int> { storage.records[index].range }

  /// The line and column of the key's opening quote.
  public var keyPlace: JSONPlace { storage.place(at: keyOffset) }

  /// The value.
  public var value: JSONNode { JSONNode(storage: storage, index: index + 1) }

  /// Returns whether the key is `key`. It compares bytes and builds no string.
  public func hasKey(_ key: String) -> Bool {
    storage.hasKey(key, at: index)
  }
}

/// The members of an object in a document, in order.
public struct JSONMembers: Sequence, Sendable {
  let storage: JSONStorage
  let container: Int
  /// The number of members.
  public let count: Int

  /// Whether the object is empty.
  public var isEmpty: Bool { count == 0 }

  /// The number of members.
  public var underestimatedCount: Int { count }

  /// Returns an iterator that starts at the first member.
  public func makeIterator() -> Iterator {
    Iterator(storage: storage, position: container + 1, remaining: count)
  }

  /// Iterates the members.
  public struct Iterator: IteratorProtocol, Sendable {
    let storage: JSONStorage
    var position: Int
    var remaining: Int

    /// Returns the next member, or `nil` after the last one.
    public mutating func next() -> JSONMember? {
      guard remaining > 0 else { return nil }
      remaining -= 1
      defer { position = Int(storage.records[position + 1].next) }
      return JSONMember(storage: storage, index: position)
    }
  }
}
