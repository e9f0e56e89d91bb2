/// The layout of a whole document: line breaks, indentation and spaces.
struct JSONFormattingStyle {
  private(set) var newline: [UInt8] = [.lineFeed]
  /// One level of indentation.
  private(set) var unit: [UInt8] = [.space, .space]
  /// Between key and value.
  private(set) var colon: [UInt8] = [.colon, .space]
  /// Between two items on one line.
  private(set) var comma: [UInt8] = [.comma, .space]
  /// Within the brackets of an object on one line, and of an array.
  private(set) var objectPadding: [UInt8] = []
  private(set) var arrayPadding: [UInt8] = []
  /// Whether the document has more than one line.
  let isMultiline: Bool
  private var objects = Occurrences()
  private var arrays = Occurrences()

  /// Whether the containers of a kind are written on one line, on several, or mixed.
  private struct Occurrences {
    var inline = false
    var multiline = false

    mutating func note(isInline: Bool) {
      if isInline { inline = true } else { multiline = true }
    }
  }

  /// The length up to which a flat container is written on one line.
  private static let longestInline = 60

  init(_ document: JSONDocument) {
    let (root, bytes) = (document.root, document.storage.bytes)
    isMultiline = root.count > 0 ? !root.isInline : bytes.contains(where: \.isLineBreak)
    if let line = bytes.firstIndex(where: \.isLineBreak) {
      let isPair = bytes[line] == .carriageReturn && bytes[line...].dropFirst().first == .lineFeed
      newline = isPair ? [.carriageReturn, .lineFeed] : [bytes[line]]
    }
    let containers = document.containers
    noteSpaces(containers, bytes)
    noteIndentation(containers)
    for container in containers where container.index > 0 {
      if container.kind == .object {
        objects.note(isInline: container.isInline)
      } else {
        arrays.note(isInline: container.isInline)
      }
    }
  }

  private mutating func noteSpaces(_ containers: [JSONNode], _ bytes: [UInt8]) {
    let items = containers.map(\.items)
    let colons = items.flatMap { $0.compactMap(\.colon) }
    let commas = items.flatMap { items in
      zip(items, items.dropFirst()).map { left, right in
        Array(bytes[left.range.upperBound..<right.range.lowerBound])
      }
    }.filter { !$0.contains(where: \.isLineBreak) }
    // If only one of the two occurs, it decides both.
    colon = colons.mostFrequent ?? (commas.mostFrequent == [.comma] ? [.colon] : colon)
    comma = commas.mostFrequent ?? (colon.last == .space ? comma : [.comma])
    objectPadding = containers.inlinePadding(.object)
    arrayPadding = containers.inlinePadding(.array)
  }

  private mutating func noteIndentation(_ containers: [JSONNode]) {
    for container in containers where !container.padding.allSatisfy({ !$0.isLineBreak }) {
      let outer = container.storage.indent(at: container.range.lowerBound)
      let inner = container.storage.indent(at: container.items[0].range.lowerBound)
      if inner.count > outer.count, inner.starts(with: outer) {
        unit = Array(inner[outer.count...])
        return
      }
    }
  }

  /// The style of a container: that of the last sibling of the same kind, else that of all such
  /// containers in the document, else one line if it is short and flat.
  func style(of value: JSONValue, beside siblings: [JSONNode] = []) -> JSONLayout.Style {
    let alike = siblings.last { $0.kind == value.kind && $0.count > 0 }
    if let alike { return alike.isInline ? .inline : .multiline }
    let seen = value.kind == .object ? objects : arrays
    switch (seen.inline, seen.multiline) {
    case (true, false): return .inline
    case (true, true):
      return value.isFlat && value.bytes().count <= Self.longestInline ? .inline : .multiline
    default: return .multiline
    }
  }
}

extension JSONDocument {
  /// Arrays and objects that aren't empty, in order.
  fileprivate var containers: [JSONNode] {
    storage.records.indices.compactMap {
      storage.records[$0].count > 0 ? JSONNode(storage: storage, index: $0) : nil
    }
  }
}

extension JSONNode {
  /// The bytes between the opening bracket and the first item.
  fileprivate var padding: ArraySlice<UInt8> {
    storage.bytes[range.lowerBound + 1..<Int(storage.records[index + 1].start)]
  }
}

extension JSONValue {
  /// Whether no item is an array or object with items.
  fileprivate var isFlat: Bool {
    let items = array ?? object?.values ?? []
    return items.allSatisfy { ($0.array?.isEmpty ?? true) && ($0.object?.isEmpty ?? true) }
  }
}

extension [JSONNode] {
  /// The padding of the first container of a kind that stands on one line.
  fileprivate func inlinePadding(_ kind: JSONKind) -> [UInt8] {
    first { $0.kind == kind && $0.isInline }.map { [UInt8]($0.padding) } ?? []
  }
}
