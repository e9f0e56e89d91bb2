/// Searches texts byte by byte. In UTF-8 no character is a part of another one.
enum TextSearch {
  /// The maximum length of a text that a function makes, in bytes.
  static let longest = 1 << 20

  /// Returns the byte offsets of `part` in `text`. They don't overlap.
  static func offsets(of part: String, in text: String, atMost limit: Int = .max) -> [Int] {
    var (part, text) = (part, text)
    return part.withUTF8 { needle in
      text.withUTF8 { hay in
        if needle.isEmpty { return [0] }
        return needle.count <= 32
          ? tried(needle, in: hay, limit: limit) : walked(needle, in: hay, limit: limit)
      }
    }
  }

  /// Tries each position with the right first byte. This is fast for short texts.
  private static func tried(
    _ needle: UnsafeBufferPointer<UInt8>, in hay: UnsafeBufferPointer<UInt8>, limit: Int
  ) -> [Int] {
    var found: [Int] = []
    var start = 0
    while start <= hay.count - needle.count, found.count < limit {
      if hay[start] == needle[0], hay[start..<start + needle.count].elementsEqual(needle) {
        found.append(start)
        start += needle.count
      } else {
        start += 1
      }
    }
    return found
  }

  /// Reads each byte of the text once, so that repetitive long texts cost no more than others
  /// (Knuth, Morris and Pratt, "Fast Pattern Matching in Strings", 1977).
  private static func walked(
    _ needle: UnsafeBufferPointer<UInt8>, in hay: UnsafeBufferPointer<UInt8>, limit: Int
  ) -> [Int] {
    var borders = [0]
    var border = 0
    for position in 1..<needle.count {
      while border > 0, needle[border] != needle[position] { border = borders[border - 1] }
      if needle[border] == needle[position] { border += 1 }
      borders.append(border)
    }
    var found: [Int] = []
    var matched = 0
    for position in 0..<hay.count where found.count < limit {
      while matched > 0, needle[matched] != hay[position] { matched = borders[matched - 1] }
      if needle[matched] == hay[position] { matched += 1 }
      guard matched == needle.count else { continue }
      found.append(position + 1 - matched)
      matched = 0
    }
    return found
  }

  static func contains(_ part: String, in text: String) -> Bool {
    part.isEmpty || !offsets(of: part, in: text, atMost: 1).isEmpty
  }

  /// Returns the parts between the separators.
  static func pieces(of text: String, between separator: String) -> [String] {
    let bytes = Array(text.utf8)
    var pieces: [String] = []
    var start = 0
    for offset in offsets(of: separator, in: text) {
      pieces.append(String(decoding: bytes[start..<offset], as: UTF8.self))
      start = offset + separator.utf8.count
    }
    pieces.append(String(decoding: bytes[start...], as: UTF8.self))
    return pieces
  }
}
