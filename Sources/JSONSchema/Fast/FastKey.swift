/// A string of the document, prepared for a look-up. Up to 16 bytes are compared as two words.
struct FastKey {
  /// The first eight bytes. Zeros follow a shorter string.
  var first: UInt64
  /// The last eight bytes of a string with more than eight.
  var last: UInt64
  var length: UInt32
  /// The bytes of the string.
  var text: UnsafePointer<UInt8>

  /// Creates a key from the `length` bytes at `text`, after which `bytesAfter` further bytes may be
  /// read.
  @inline(__always)
  init(_ text: UnsafePointer<UInt8>, length: Int, bytesAfter: Int) {
    let raw = UnsafeRawPointer(text)
    self.text = text
    self.length = UInt32(truncatingIfNeeded: length)
    // For 9 to 15 bytes the words overlap. Together they contain all bytes, and the lengths are
    // compared too.
    if length > 8 {
      first = raw.loadUnaligned(as: UInt64.self)
      last = raw.loadUnaligned(fromByteOffset: length &- 8, as: UInt64.self)
    } else {
      last = 0
      if length == 8 || bytesAfter &+ length >= 8 {
        let word = raw.loadUnaligned(as: UInt64.self)
        // A shift by 64 bits has no effect.
        first = length == 0 ? 0 : word & (UInt64.max &>> UInt64(64 &- 8 &* length))
      } else {
        // Near the end of the memory, a whole word can't be read.
        first = 0
        for index in 0..<length { first |= UInt64(text[index]) &<< UInt64(8 &* index) }
      }
    }
  }

  /// A hash whose upper bits depend on all bytes. The tables use the upper bits.
  @inline(__always)
  var hash: UInt64 {
    let mixed = first ^ (last &<< 23 | last &>> 41) ^ UInt64(length)
    // The factor is an odd number without a pattern (2^64 / golden ratio), as in Knuth's
    // multiplicative hashing. A bit of the product depends only on the bits of `mixed` at or below
    // it, so the upper half is first combined with the lower one.
    return (mixed ^ mixed &>> 32) &* 0x9E37_79B9_7F4A_7C15
  }
}

/// A string of the schema, in a table or alone.
struct FastSlot {
  var first: UInt64 = 0
  var last: UInt64 = 0
  /// The length, or `.nothing` for an empty slot.
  var length = UInt32.nothing
  /// The offset of the bytes in the program's text.
  var text: UInt32 = 0
  /// The unit or the list of bodies for the string.
  var target = UInt32.nothing
  /// The bit that is set when the string occurs.
  var bit = FastSlot.unwatched

  /// The bit of strings that aren't required. Required keys have the bits 0 to 62.
  static let unwatched: UInt32 = 63
}

/// The slots of a table with open addressing. At most half of them are full, so that every search
/// meets an empty one.
struct FastTable {
  /// A string with its unit and its bit.
  struct Row {
    let text: String
    let target: UInt32
    var bit = FastSlot.unwatched
  }

  var start: UInt32 = 0
  /// 64 minus the number of bits of a position.
  var shift: UInt32 = 63

  @inline(__always)
  var mask: UInt64 { UInt64.max &>> UInt64(shift) }
}

extension FastProgram.Memory {
  @inline(__always)
  func slot(_ index: UInt32, holds key: FastKey) -> Bool {
    let slot = slots[Int(index)]
    return slot.first == key.first && slot.length == key.length && slot.last == key.last
      && (key.length <= 16 || isSame(text + Int(slot.text), key.text, count: Int(key.length)))
  }

  /// Returns the slot of `key`, or `.nothing`.
  @inline(__always)
  func find(_ key: FastKey, in table: FastTable) -> UInt32 {
    let mask = table.mask
    var position = key.hash &>> UInt64(table.shift)
    while true {
      let index = table.start &+ UInt32(truncatingIfNeeded: position)
      if slot(index, holds: key) { return index }
      if slots[Int(index)].length == .nothing { return .nothing }
      position = (position &+ 1) & mask
    }
  }

  private func isSame(
    _ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, count: Int
  ) -> Bool {
    // The first and the last eight bytes were compared as words.
    for index in 8..<count - 8 where left[index] != right[index] { return false }
    return true
  }
}
