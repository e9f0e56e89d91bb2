/// What a document keeps of a value: 16 bytes. Records lie in document order; a container is
/// followed by its contents, a key by its value. For readers of a ``JSONTape``.
@frozen public struct JSONRecord: Sendable {
  /// The offset of the first byte.
  public internal(set) var start: UInt32
  /// The offset after the last byte.
  public internal(set) var end: UInt32
  /// For a value, the index of the record after it and its contents; while a container is open,
  /// that of the container around it. For a key, its ``JSONKeyHash``: a key's value is always the
  /// next record.
  public internal(set) var next: UInt32
  /// The kind's raw value in three bits, the mark in one, the number of elements or members in the
  /// rest.
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

  /// Which of the six kinds this is.
  @inlinable public var kind: JSONKind {
    JSONKind(rawValue: UInt8(truncatingIfNeeded: tag & 7)) ?? .null
  }

  /// Depends on the kind: a Boolean is true, a string has escapes, a number has a fraction or an
  /// exponent.
  @inlinable public var mark: Bool { tag & 8 != 0 }

  /// How many elements or members a container has.
  @inlinable public var count: Int { Int(tag >> 4) }

  var range: Range<Int> { Int(start)..<Int(end) }

  /// The bytes between the quotes of a string.
  var content: Range<Int> { Int(start) + 1..<Int(end) - 1 }

  /// Notes what is known of a container when it closes.
  @inline(__always) mutating func close(end: UInt32, next: UInt32, tag: UInt32) {
    self.end = end
    self.next = next
    self.tag = tag
  }

  mutating func countOneMore() {
    tag &+= 16
  }
}
