extension JSONFastParser {
  /// Reads a string, whose opening quote is the next byte.
  @inline(__always)
  mutating func readString() -> Bool {
    let start = offset
    var position = cursor + 1
    while position <= wide {
      let special = position.word.stringMarks
      guard special != 0 else {
        position += 8
        continue
      }
      position += special.trailingZeroBitCount >> 3
      guard position.load(as: UInt8.self) == .quote else { break }
      cursor = position + 1
      append(.string, from: start)
      return true
    }
    return readRest(of: start, from: position)
  }

  /// Reads a key, whose opening quote is the next byte. `next` of its record becomes the hash.
  @inline(__always)
  mutating func readKeyString() -> Bool {
    let start = offset
    var hash = JSONKeyHash()
    var position = cursor + 1
    while position <= wide {
      let word = position.word
      let special = word.stringMarks
      guard special != 0 else {
        hash.add(word)
        position += 8
        continue
      }
      let bits = special.trailingZeroBitCount & ~7
      position += bits >> 3
      guard position.load(as: UInt8.self) == .quote else { break }
      cursor = position + 1
      append(
        start: start, end: offset, next: hash.finished(word, bits: bits),
        tag: UInt32(JSONKind.string.rawValue))
      return true
    }
    guard readRest(of: start, from: position) else { return false }
    records[count - 1].hashKey(base)
    return true
  }

  /// Continues a string that isn't plain ASCII, or that is near the end of the document.
  @inline(__always)
  private mutating func readRest(of start: UInt32, from position: UnsafeRawPointer) -> Bool {
    guard let (after, hasEscapes) = Self.afterString(position, end) else { return false }
    cursor = after
    append(.string, from: start, mark: hasEscapes ? 8 : 0)
    return true
  }

  /// Returns the byte after the closing quote of the string that contains `start`, or `nil` if the
  /// string is invalid.
  @inline(never)
  private static func afterString(
    _ start: UnsafeRawPointer, _ end: UnsafeRawPointer
  ) -> (UnsafeRawPointer, hasEscapes: Bool)? {
    var position = start
    var hasEscapes = false
    while position < end {
      let byte = position.load(as: UInt8.self)
      if byte >= 0x80 {
        let length = position.lengthOfUTF8(before: end)
        guard length > 0 else { return nil }
        position += length
      } else if byte == .quote {
        return (position + 1, hasEscapes)
      } else if byte == .backslash {
        let length = position.lengthOfEscape(before: end)
        guard length > 0 else { return nil }
        hasEscapes = true
        position += length
      } else if byte < .space {
        return nil
      } else if end - position >= 8 {
        let special = position.word.stringMarks
        position += special == 0 ? 8 : special.trailingZeroBitCount >> 3
      } else {
        position += 1
      }
    }
    return nil
  }
}

extension UInt64 {
  /// Finds the first of eight bytes that is a quote, a backslash, a control character or not ASCII.
  /// Its high bit is set in the result. Bits above it may be set as well, because subtractions
  /// borrow.
  var stringMarks: UInt64 {
    @inline(__always) get {
      let ones: UInt64 = 0x0101_0101_0101_0101
      let quotes = self ^ (ones &* 0x22)
      let backslashes = self ^ (ones &* 0x5C)
      let marks =
        ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes)
        | ((self &- ones &* 0x20) & ~self) | self
      return marks & (ones &* 0x80)
    }
  }
}

extension UnsafeRawPointer {
  /// The length of the well-formed multi-byte sequence at this address, by table 3-7 of the Unicode
  /// standard, or 0 if there is none.
  fileprivate func lengthOfUTF8(before end: UnsafeRawPointer) -> Int {
    UnsafeRawBufferPointer(start: self, count: end - self).withMemoryRebound(to: UInt8.self) {
      $0.span.lengthOfUTF8(at: 0)
    }
  }

  /// The length of the escape at this address, with both halves of a surrogate pair, or 0 if it is
  /// invalid.
  fileprivate func lengthOfEscape(before end: UnsafeRawPointer) -> Int {
    UnsafeRawBufferPointer(start: self, count: end - self).withMemoryRebound(to: UInt8.self) {
      $0.span.lengthOfEscape(at: 0)
    }
  }
}
