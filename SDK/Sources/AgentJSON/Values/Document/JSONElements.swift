/// The elements of an array in a document, in order.
public struct JSONElements: Sequence, Sendable {
  let storage: JSONStorage
  let container: Int
  /// How many there are.
  public let count: Int

  /// Whether there are none.
  public var isEmpty: Bool { count == 0 }

  /// How many there are.
  public var underestimatedCount: Int { count }

  /// Starts at the first element.
  public func makeIterator() -> Iterator {
    Iterator(storage: storage, position: container + 1, remaining: count)
  }

  /// Goes from element to element.
  public struct Iterator: IteratorProtocol, Sendable {
    let storage: JSONStorage
    var position: Int
    var remaining: Int

    /// The next element, or nil after the last.
    public mutating func next() -> JSONNode? {
      guard remaining > 0 else { return nil }
      remaining -= 1
      defer { position = Int(storage.records[position].next) }
      return JSONNode(storage: storage, index: position)
    }
  }
}
