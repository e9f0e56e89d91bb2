/// The formatting around a node, so that additions look like the existing text.
struct JSONLayout {
  /// Whether a container has a line for each item, or one line.
  enum Style { case inline, multiline }

  private let node: JSONNode
  private let habits: JSONFormattingStyle

  /// The layout for changes at `node`.
  init(_ node: JSONNode) {
    self.node = node
    habits = JSONFormattingStyle(node.document)
  }

  /// Adds an item after the last one of a container.
  func adding(_ value: JSONValue, key: String?, to container: JSONNode) -> JSONSplice {
    let items = container.items
    guard let last = items.last else {
      let filled: JSONValue = key.map { .object([$0: value]) } ?? .array([value])
      return JSONSplice(range: container.range, text: text(of: filled, beside: container))
    }
    var text = separator(of: items, in: container)
    if let key {
      text.appendJSONString(key)
      text += colon(of: items)
    }
    let style = container.isInline ? .inline : habits.style(of: value, beside: items.map(\.value))
    let indent = container.storage.indent(at: last.range.lowerBound)
    append(value, style, indent: indent, to: &text)
    return JSONSplice(range: last.range.upperBound..<last.range.upperBound, text: text)
  }

  /// The text of a value that replaces `node`.
  func text(of value: JSONValue, beside node: JSONNode) -> [UInt8] {
    let parent = node.pointer.parent.flatMap { node.document.node(at: $0) }
    let siblings = parent?.items.map(\.value).filter { $0.index != node.index } ?? []
    let isInline = parent?.isInline ?? !habits.isMultiline
    let style = isInline ? .inline : habits.style(of: value, beside: siblings)
    var text: [UInt8] = []
    append(value, style, indent: node.storage.indent(at: node.range.lowerBound), to: &text)
    return text
  }

  /// The text between two items: the most frequent one here.
  private func separator(of items: [JSONItem], in container: JSONNode) -> [UInt8] {
    let bytes = container.storage.bytes
    let gaps = zip(items, items.dropFirst()).map { left, right in
      Array(bytes[left.range.upperBound..<right.range.lowerBound])
    }
    if let gap = gaps.mostFrequent { return gap }
    let lead = bytes[container.range.lowerBound + 1..<items[0].range.lowerBound]
    guard let line = lead.lastIndex(where: \.isLineBreak) else { return habits.comma }
    return [.comma] + habits.newline + lead[(line + 1)...]
  }

  private func colon(of items: [JSONItem]) -> [UInt8] {
    items.compactMap(\.colon).mostFrequent ?? habits.colon
  }
}

// MARK: Writing

extension JSONLayout {
  private func append(
    _ value: JSONValue, _ style: Style, indent: [UInt8], to text: inout [UInt8]
  ) {
    switch value {
    case .array(let values) where !values.isEmpty:
      let items = values.map { (nil as String?, $0) }
      append(
        items, open: .openBracket, close: .closeBracket, padding: habits.arrayPadding, style: style,
        indent: indent, to: &text)
    case .object(let members) where !members.isEmpty:
      let items = members.map { (Optional($0.key), $0.value) }
      append(
        items, open: .openBrace, close: .closeBrace, padding: habits.objectPadding, style: style,
        indent: indent, to: &text)
    default:
      text += value.bytes()
    }
  }

  private func append(
    _ items: [(String?, JSONValue)], open: UInt8, close: UInt8, padding: [UInt8],
    style: Style, indent: [UInt8], to text: inout [UInt8]
  ) {
    let inner = indent + habits.unit
    let isInline = style == .inline
    text.append(open)
    text += isInline ? padding : habits.newline + inner
    for (position, (key, value)) in items.enumerated() {
      if position > 0 { text += isInline ? habits.comma : [.comma] + habits.newline + inner }
      if let key {
        text.appendJSONString(key)
        text += habits.colon
      }
      append(value, isInline ? .inline : habits.style(of: value), indent: inner, to: &text)
    }
    text += isInline ? padding : habits.newline + indent
    text.append(close)
  }
}

extension JSONItem {
  /// The text between key and value.
  var colon: [UInt8]? {
    keyRange.map { Array(value.storage.bytes[$0.upperBound..<value.range.lowerBound]) }
  }
}

extension JSONNode {
  /// Whether the value stands on one line.
  var isInline: Bool { !bytes.contains(where: \.isLineBreak) }
}

extension JSONStorage {
  /// The spaces and tabs with which the line of `offset` starts.
  func indent(at offset: Int) -> [UInt8] {
    let start = bytes[..<offset].lastIndex(where: \.isLineBreak).map { $0 + 1 } ?? 0
    return Array(bytes[start..<offset].prefix { $0 == .space || $0 == .tab })
  }
}

extension UInt8 {
  var isLineBreak: Bool { self == .lineFeed || self == .carriageReturn }
}

extension [[UInt8]] {
  /// The most frequent element; of equally frequent ones the shortest.
  var mostFrequent: [UInt8]? {
    var counts: [[UInt8]: Int] = [:]
    for element in self { counts[element, default: 0] += 1 }
    func rank(_ element: [UInt8]) -> (Int, Int) { (counts[element] ?? 0, -element.count) }
    return self.max { rank($0) < rank($1) }
  }
}
