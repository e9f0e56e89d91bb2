internal import Glibc

/// Finds where a request may end in the bytes of a connection, without decoding them.
///
/// Rationale: the decoder turns all bytes that it gets into requests at once. Sixteen KiB hold a
/// thousand small requests, and each takes fifty times its bytes when it is decoded. Bytes that end
/// at a boundary hold one request at most.
///
/// It sees each byte once, and remembers what it needs of earlier bytes.
struct RequestBoundary {
  /// Whether the current line has no character so far.
  private var isLineEmpty = true
  /// Whether a line with characters came before, so that an empty line ends a head.
  private var hasContent = false
  /// Whether the line before was empty, so that a request may begin now.
  private var isAfterBlank = false

  /// Returns how many bytes reach to the end of a head, all if it isn't there. Empty lines before
  /// the head belong to it (RFC 9112, section 2.2).
  mutating func endOfHead(in bytes: UnsafeRawBufferPointer) -> Int {
    var count = 0
    while let line = Self.line(of: bytes, from: count) {
      if line.content != nil { (isLineEmpty, hasContent) = (false, true) }
      count += line.length
      guard line.isWhole else { break }
      if isLineEmpty, hasContent {
        self = RequestBoundary()
        break
      }
      isLineEmpty = true
    }
    return count
  }

  /// Returns how many bytes of a chunked body, and of what follows it, reach to a place where the
  /// next request may begin: an empty line before a letter. All if there is none.
  ///
  /// The data of the body may have such places too. Then the body is only cut there.
  mutating func endOfChunks(in bytes: UnsafeRawBufferPointer) -> Int {
    var count = 0
    while let line = Self.line(of: bytes, from: count) {
      if isLineEmpty, let content = line.content {
        let mayBegin = isAfterBlank && Self.isLetter(content)
        isAfterBlank = false
        // The line begins the next bytes, and isn't cut again.
        if mayBegin, count > 0 { break }
        isLineEmpty = false
      }
      count += line.length
      guard line.isWhole else { break }
      isAfterBlank = isLineEmpty
      isLineEmpty = true
    }
    return count
  }

  private struct Line {
    /// The number of its bytes, with the line feed.
    let length: Int
    /// Whether its line feed is there.
    let isWhole: Bool
    /// Its first character.
    let content: UInt8?
  }

  /// Returns the line that begins after `count` bytes, or nil if there is none.
  private static func line(of bytes: UnsafeRawBufferPointer, from count: Int) -> Line? {
    let rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(count))
    guard let start = rest.baseAddress, !rest.isEmpty else { return nil }
    // Bodies of megabytes pass here, so it isn't a loop over the bytes.
    let end = memchr(start, 0x0A, rest.count).map { start.distance(to: $0) }
    let content = rest.prefix(end ?? rest.count).first { $0 != UInt8(ascii: "\r") }
    return Line(length: end.map { $0 &+ 1 } ?? rest.count, isWhole: end != nil, content: content)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }
}
