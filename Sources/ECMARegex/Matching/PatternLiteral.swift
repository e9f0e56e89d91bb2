internal import Glibc

/// A pattern that is plain text, with or without `^` and `$`.
struct PatternLiteral: Sendable {
  /// The largest length of a text that is searched for. A longer one needs an automaton, which
  /// reads each byte once.
  static let maxSearched = 32

  let bytes: [UInt8]
  let isAtStart: Bool
  let isAtEnd: Bool

  func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard !bytes.isEmpty else { return !isAtStart || !isAtEnd || text.isEmpty }
    guard text.count >= bytes.count, let start = text.baseAddress else { return false }
    return bytes.withUnsafeBytes { wanted in
      guard let pattern = wanted.baseAddress else { return false }
      if isAtStart {
        return (!isAtEnd || text.count == bytes.count) && memcmp(start, pattern, bytes.count) == 0
      }
      if isAtEnd {
        return memcmp(start + (text.count - bytes.count), pattern, bytes.count) == 0
      }
      return Self.search(start, count: text.count, pattern: pattern, length: bytes.count)
    }
  }

  private static func search(
    _ start: UnsafePointer<UInt8>, count: Int, pattern: UnsafeRawPointer, length: Int
  ) -> Bool {
    let first = Int32(pattern.load(as: UInt8.self))
    var place = UnsafeRawPointer(start)
    let last = place + (count - length)
    while place <= last, let found = memchr(place, first, last - place + 1) {
      if memcmp(found, pattern, length) == 0 { return true }
      place = UnsafeRawPointer(found) + 1
    }
    return false
  }
}
