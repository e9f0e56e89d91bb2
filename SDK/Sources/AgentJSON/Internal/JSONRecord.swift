/// What a document keeps of a value: 16 bytes. Records lie in document order; a container is
/// followed by its contents, a key by its value. For readers of a ``JSONTape``.
@frozen public struct JSONRecord: Sendable {
  /// The offset of the first byte.
  public internal(set) var start: UInt32
  /// The offset after the last byte.
  public internal(set) var end: UInt32
  /// The record after this one and its contents; while a container is open, the record of the
  /// container around it.
  public internal(set) var next: UInt32
  /// The kind's raw value in three bits, the mark in one, the number of elements or members in the
  /// rest.
  public private(set) var tag: UInt32

  init(_ kind: JSONKind, start: Int, end: Int, next: UInt32, mark: Bool = false) {
    self.start = UInt32(clamping: start)
    self.end = UInt32(clamping: end)
    self.next = next
    tag = UInt32(kind.rawValue) | (mark ? 8 : 0)
  }

  /// Which of the six kinds this is.
  @inlinable public var kind: JSONKind {
    JSONKind(rawValue: UInt8(truncatingIfNeeded: tag & 7)) ?? .null
  }

  /// Of a Boolean: that it is true. Of a string: that it has escapes. Of a number: that it has a
  /// fraction or an exponent.
  @inlinable public var mark: Bool { tag & 8 != 0 }

  /// How many elements or members a container has.
  @inlinable public var count: Int { Int(tag >> 4) }

  var range: Range<Int> { Int(start)..<Int(end) }

  /// The bytes between the quotes of a string.
  var content: Range<Int> { Int(start) + 1..<Int(end) - 1 }

  mutating func countOneMore() {
    tag &+= 16
  }
}

/// What documents and nodes share.
@usableFromInline final class JSONStorage: Sendable {
  @usableFromInline let bytes: [UInt8]
  @usableFromInline let records: [JSONRecord]
  @usableFromInline let limits: JSONLimits
  /// Whether a person wrote the bytes, so that places in them mean something.
  @usableFromInline let isWritten: Bool

  init(bytes: [UInt8], records: [JSONRecord], limits: JSONLimits, isWritten: Bool) {
    self.bytes = bytes
    self.records = records
    self.limits = limits
    self.isWritten = isWritten
  }
}
