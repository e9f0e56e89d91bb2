/// A change of a document's bytes.
struct JSONSplice {
  let range: Range<Int>
  let text: [UInt8]
}

/// An element, or a member with its key, as a range of bytes.
struct JSONItem {
  /// From the key, if there is one, to the end of the value.
  let range: Range<Int>
  let keyRange: Range<Int>?
  let value: JSONNode
}

extension JSONNode {
  /// Members or elements in order.
  var items: [JSONItem] {
    switch kind {
    case .object:
      members.map {
        let range = $0.keyOffset..<$0.value.range.upperBound
        return JSONItem(range: range, keyRange: $0.keyRange, value: $0.value)
      }
    default:
      elements.map { JSONItem(range: $0.range, keyRange: nil, value: $0) }
    }
  }

  /// The index of the item that a pointer's token names.
  func position(of token: String) -> Int? {
    switch kind {
    case .object: Array(members).firstIndex { $0.hasKey(token) }
    case .array: JSONPointer.index(token).flatMap { $0 < count ? $0 : nil }
    default: nil
    }
  }

  /// Removes an item up to the next one, which takes its place. The last item is removed with the
  /// comma before it, the only one with all whitespace.
  func removal(of position: Int) -> JSONSplice {
    let items = items
    let item = items[position].range
    let removed =
      if items.count == 1 {
        range.lowerBound + 1..<range.upperBound - 1
      } else if position == items.count - 1 {
        items[position - 1].range.upperBound..<item.upperBound
      } else {
        item.lowerBound..<items[position + 1].range.lowerBound
      }
    return JSONSplice(range: removed, text: [])
  }
}

extension JSONValue {
  /// Whether both have the same text, so that replacing one by the other changes nothing. `==`
  /// differs: it treats 1 and 1.0 as equal.
  func isSameText(as other: JSONValue) -> Bool {
    kind == other.kind && text() == other.text()
  }
}
