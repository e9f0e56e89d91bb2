/// The 16 bytes that a document stores for a value. Records are in document order. The contents of
/// a container follow its record, and a value follows its key. For readers of a ``JSONTape``.
@frozen public struct JSONRecord: Sendable {
  /// The offset of the first byte.
  public internal(set) var start: UInt32
  /// The offset after the last byte.
  public internal(set) var end: UInt32
  /// For a value, the index of the record after it and its contents. While a container is open, the
  /// index of the container around it. For a key, its ``JSONKeyHash``, because the next record is
  /// always the key's value.
  public internal(set) var next: UInt32
  /// Three bits for the kind's raw value, one for the mark, and the rest for the number of elements
  /// or members.
  public internal(set) var tag: UInt32

  init(_ kind: JSONKind, start: Int, end: Int, next: UInt32, mark: Bool = false) {
    self.start = UInt32(clamping: start)
    self.end = UInt32(clamping: end)
    self.next = next
    tag = UInt32(kind.rawValue) | (mark ? 8 : 0)
  }

  @inline(__always) init(start: UInt32, end: UInt32, next: UInt32, tag: UInt32) {
    self.start = start
    self.end = end
    self.next = next
    self.tag = tag
  }

  /// The kind of the value.
  @inlinable public var kind: JSONKind {
    JSONKind(rawValue: UInt8(truncatingIfNeeded: tag & 7)) ?? .null
  }

  /// The meaning depends on the kind: a Boolean is true, a string has escapes, a number has a
  /// fraction or an exponent.
  @inlinable public var mark: Bool { tag & 8 != 0 }

  /// The number of elements or members of a container.
  @inlinable public var count: Int { Int(tag >> 4) }

  var range: Range<Int> { Int(start)..<Int(end) }

  /// The bytes between the quotes of a string.
  var content: Range<Int> { Int(start) + 1..<Int(end) - 1 }

  /// Stores the facts about a container that are known at its end.
  @inline(__always) mutating func close(end: UInt32, next: UInt32, tag: UInt32) {
    self.end = end
    self.next = next
    self.tag = tag
  }

  mutating func countOneMore() {
    tag &+= 16
  }
}
