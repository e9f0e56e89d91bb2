/// A value in a document, with its place. It is cheap to copy, and keeps the document in memory.
public struct JSONNode: Sendable {
  @usableFromInline let storage: JSONStorage
  @usableFromInline let index: Int

  var record: JSONRecord { storage.records[index] }

  /// The kind of the value.
  public var kind: JSONKind { record.kind }

  /// Whether this is `null`.
  public var isNull: Bool { kind == .null }

  /// The bytes from the first to the last of this value in the document.
  public var range: Range<Int> { record.range }

  /// The value's text in the document.
  public var bytes: ArraySlice<UInt8> { storage.bytes[range] }

  /// The line and column of the first byte.
  public var place: JSONPlace { document.place(at: range.lowerBound) }

  /// The document that contains the value.
  public var document: JSONDocument { JSONDocument(storage: storage) }

  /// The Boolean. `nil` for other kinds.
  public var bool: Bool? {
    kind == .bool ? record.mark : nil
  }

  /// The unescaped string. `nil` for other kinds.
  public var string: String? {
    kind == .string ? storage.string(at: index) : nil
  }

  /// The number. `nil` for other kinds.
  public var number: JSONNumber? {
    kind == .number ? JSONNumber(storage, record) : nil
  }

  /// The number as an integer, also for `1.0`. `nil` if it has a fraction or doesn't fit, and for
  /// other kinds.
  public var int: Int? {
    kind == .number ? storage.int(at: index) : nil
  }

  /// The number as the nearest double, infinite if it is out of range. `nil` for other kinds.
  public var double: Double? {
    kind == .number ? storage.double(at: index) : nil
  }

  /// The number of elements of an array or members of an object. 0 for other kinds.
  public var count: Int { record.count }

  /// The elements of an array. Empty for other kinds.
  public var elements: JSONElements {
    JSONElements(storage: storage, container: index, count: kind == .array ? count : 0)
  }

  /// The members of an object. Empty for other kinds.
  public var members: JSONMembers {
    JSONMembers(storage: storage, container: index, count: kind == .object ? count : 0)
  }

  /// Returns the member `key` of an object, or `nil` for other kinds. It compares one key after
  /// another by their bytes.
  public subscript(key: String) -> JSONNode? {
    guard kind == .object, let found = storage.value(of: key, in: index) else { return nil }
    return JSONNode(storage: storage, index: found)
  }

  /// Returns element `position` of an array, or `nil` if it is out of bounds and for other kinds.
  public subscript(position: Int) -> JSONNode? {
    guard kind == .array, position >= 0, position < count else { return nil }
    if Int(record.next) - index - 1 == count {
      return JSONNode(storage: storage, index: index + 1 + position)
    }
    var child = index + 1
    for _ in 0..<position { child = Int(storage.records[child].next) }
    return JSONNode(storage: storage, index: child)
  }

  /// Returns the node at `pointer`, relative to this one, or `nil` if there is none.
  public func node(at pointer: JSONPointer) -> JSONNode? {
    var node = self
    for token in pointer.tokens {
      let next = node.kind == .array ? JSONPointer.index(token).flatMap { node[$0] } : node[token]
      guard let next else { return nil }
      node = next
    }
    return node
  }

  /// The path from the root of the document to this value.
  public var pointer: JSONPointer {
    var tokens: [String] = []
    var node = JSONNode(storage: storage, index: 0)
    while node.index < index {
      guard let (token, child) = node.child(holding: index) else { break }
      tokens.append(token)
      node = child
    }
    return JSONPointer(tokens: tokens)
  }

  private func child(holding target: Int) -> (String, JSONNode)? {
    if kind == .array {
      for (position, element) in elements.enumerated() where target < Int(element.record.next) {
        return (String(position), element)
      }
    }
    for member in members where target < Int(member.value.record.next) {
      return (member.key, member.value)
    }
    return nil
  }

  /// The value, without its places.
  public var value: JSONValue {
    switch kind {
    case .null: .null
    case .bool: .bool(record.mark)
    case .number: .number(JSONNumber(storage, record))
    case .string: .string(storage.string(at: index))
    case .array: .array(elements.map(\.value))
    case .object: .object(JSONObject(distinct: members.map { ($0.key, $0.value.value) }))
    }
  }
}
