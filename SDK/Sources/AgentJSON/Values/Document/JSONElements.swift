/// The elements of an array in a document, in order.
public struct JSONElements: Sequence, Sendable {
  let storage: JSONStorage
  let container: Int
  /// The number of elements.
  public let count: Int

  /// Whether the array is empty.
  public var isEmpty: Bool { count == 0 }

  /// The number of elements.
  public var underestimatedCount: Int { count }

  /// Returns an iterator that starts at the first element.
  public func makeIterator() -> Iterator {
    Iterator(storage: storage, position: container + 1, remaining: count)
  }

  /// Iterates the elements.
  public struct Iterator: IteratorProtocol, Sendable {
    let storage: JSONStorage
    var position: Int
    var remaining: Int

    /// Returns the next element, or `nil` after the last one.
    public mutating func next() -> JSONNode? {
      guard remaining > 0 else { return nil }
      remaining -= 1
      defer { position = Int(storage.records[position].next) }
      return JSONNode(storage: storage, index: position)
    }
  }
}
