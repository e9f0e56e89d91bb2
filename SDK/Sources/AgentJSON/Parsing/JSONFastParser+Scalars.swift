extension JSONFastParser {
  // MARK: Whitespace

  @inline(__always)
  mutating func skipSpace() {
    if byte > .space { return }
    if (cursor + 1).load(as: UInt8.self) > .space, byte.isJSONSpace {
      cursor += 1
      return
    }
    cursor = Self.afterSpace(cursor, wide)
  }

  /// Returns the first byte from `start` on that isn't whitespace. The last byte of the document
  /// isn't whitespace.
  @inline(never)
  private static func afterSpace(
    _ start: UnsafeRawPointer, _ wide: UnsafeRawPointer
  ) -> UnsafeRawPointer {
    var cursor = start
    while cursor <= wide {
      let others = cursor.word ^ (0x2020_2020_2020_2020 as UInt64)
      let spaces = others.trailingZeroBitCount >> 3
      cursor += spaces
      guard spaces < 8 else { continue }
      guard cursor.load(as: UInt8.self).isJSONSpace else { return cursor }
      cursor += 1
    }
    while cursor.load(as: UInt8.self).isJSONSpace { cursor += 1 }
    return cursor
  }

  // MARK: Numbers

  @inline(__always)
  mutating func readNumber() -> Bool {
    let start = offset
    var tag = UInt32(JSONKind.number.rawValue)
    if byte == .minus { cursor += 1 }
    if byte == .zero {
      cursor += 1
    } else if !skipDigits() {
      return false
    }
    if byte == .point {
      tag |= 8
      cursor += 1
      guard skipDigits() else { return false }
    }
    if byte.isExponentMark {
      tag |= 8
      cursor += 1
      if byte == .minus || byte == UInt8(ascii: "+") { cursor += 1 }
      guard skipDigits() else { return false }
    }
    append(start: start, end: offset, next: UInt32(truncatingIfNeeded: count &+ 1), tag: tag)
    return true
  }

  /// Skips digits. Returns false if there are none.
  @inline(__always)
  private mutating func skipDigits() -> Bool {
    guard byte.isDigit else { return false }
    repeat { cursor += 1 } while byte.isDigit
    return true
  }

  // MARK: Words

  /// Reads `true`, `false` or `null`.
  @inline(__always)
  mutating func readWord() -> Bool {
    // The last byte is a bracket, so another byte follows a word of four letters.
    guard end - cursor > 4 else { return false }
    let word = UInt32(littleEndian: cursor.loadUnaligned(as: UInt32.self))
    let start = offset
    switch word {
    case 0x6575_7274:  // true
      cursor += 4
      append(.bool, from: start, mark: 8)
    case 0x6C6C_756E:  // null
      cursor += 4
      append(.null, from: start)
    case 0x736C_6166 where (cursor + 4).load(as: UInt8.self) == UInt8(ascii: "e"):  // fals
      cursor += 5
      append(.bool, from: start)
    default:
      return false
    }
    return true
  }

  /// Adds the record of a scalar that ends before the next byte.
  @inline(__always)
  mutating func append(_ kind: JSONKind, from start: UInt32, mark: UInt32 = 0) {
    append(
      start: start, end: offset, next: UInt32(truncatingIfNeeded: count &+ 1),
      tag: UInt32(kind.rawValue) | mark)
  }
}

extension UnsafeRawPointer {
  /// Eight bytes, the first one in the lowest bits.
  var word: UInt64 {
    @inline(__always) get { UInt64(littleEndian: loadUnaligned(as: UInt64.self)) }
  }
}

extension UnsafeRawBufferPointer {
  /// The bytes without whitespace at the end.
  var withoutTrailingSpace: UnsafeRawBufferPointer {
    var count = count
    while count > 0, self[count - 1].isJSONSpace { count -= 1 }
    return UnsafeRawBufferPointer(rebasing: self[..<count])
  }

  /// The largest possible number of records: one, and one for each opening bracket, comma and
  /// colon, including those in strings.
  var maxRecords: Int {
    var total = 1
    var start = 0
    while start + 16 <= count {
      // An element of the vector can count up to 255 blocks.
      let end = Swift.min(count & ~15, start + 255 * 16)
      var lanes = SIMD16<UInt8>()
      while start < end {
        lanes &+= marks(at: start)
        start += 16
      }
      for lane in lanes.indices { total += Int(lanes[lane]) }
    }
    while start < count {
      let byte = self[start] | 0x20
      if byte == .comma || byte == .colon || byte == .openBrace { total += 1 }
      start += 1
    }
    return total
  }

  /// Returns 1 for each of the 16 bytes at `start` that is a comma, a colon, an opening bracket, or
  /// one of some control characters.
  @inline(__always)
  private func marks(at start: Int) -> SIMD16<UInt8> {
    let block =
      loadUnaligned(fromByteOffset: start, as: SIMD16<UInt8>.self) | SIMD16(repeating: 0x20)
    let commas = block ^ SIMD16(repeating: .comma)
    let colons = block ^ SIMD16(repeating: .colon)
    let brackets = block ^ SIMD16(repeating: .openBrace)
    // Arithmetic is used because comparing vectors is a loop over their elements. In `(byte - 1) &
    // ~byte`, the high bit is set if and only if the byte is zero.
    let one = SIMD16<UInt8>(repeating: 1)
    let found =
      (commas &- one) & ~commas | (colons &- one) & ~colons | (brackets &- one) & ~brackets
    return found &>> SIMD16(repeating: 7)
  }
}
