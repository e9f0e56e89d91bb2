/// A string of the document, prepared for a lookup: up to 16 bytes are compared as two words.
struct FastKey {
  /// The first eight bytes, zeros after a shorter string.
  var first: UInt64
  /// The last eight bytes of a string that is longer than eight.
  var last: UInt64
  var length: UInt32
  /// The bytes of the string.
  var text: UnsafePointer<UInt8>

  /// The string of `length` bytes at `text`, after which `bytesAfter` bytes more may be read.
  @inline(__always)
  init(_ text: UnsafePointer<UInt8>, length: Int, bytesAfter: Int) {
    let raw = UnsafeRawPointer(text)
    self.text = text
    self.length = UInt32(truncatingIfNeeded: length)
    // The words overlap for 9 to 15 bytes. Together they have all bytes, and the length is compared
    // too.
    if length > 8 {
      first = raw.loadUnaligned(as: UInt64.self)
      last = raw.loadUnaligned(fromByteOffset: length &- 8, as: UInt64.self)
    } else {
      last = 0
      if length == 8 || bytesAfter &+ length >= 8 {
        let word = raw.loadUnaligned(as: UInt64.self)
        // A shift by 64 bits is one by none.
        first = length == 0 ? 0 : word & (UInt64.max &>> UInt64(64 &- 8 &* length))
      } else {
        // Near the end of the memory, where a word can't be read as a whole.
        first = 0
        for index in 0..<length { first |= UInt64(text[index]) &<< UInt64(8 &* index) }
      }
    }
  }

  /// A hash, spread over all bits; the tables use the upper ones.
  @inline(__always)
  var hash: UInt64 {
    let mixed = first ^ (last &<< 23 | last &>> 41) ^ UInt64(length)
    // An odd number without pattern (2^64 / golden ratio), as in Knuth's multiplicative hashing;
    // the product's upper bits depend on all lower ones, so fold these in first.
    return (mixed ^ mixed &>> 32) &* 0x9E37_79B9_7F4A_7C15
  }
}

/// A string that the schema names, in a table or alone.
struct FastSlot {
  var first: UInt64 = 0
  var last: UInt64 = 0
  /// Its length; `.nothing` for an empty slot.
  var length = UInt32.nothing
  /// Where its bytes are in the program's text.
  var text: UInt32 = 0
  /// The unit or the list of bodies for the string.
  var target = UInt32.nothing
  /// The bit that is set when the string was seen.
  var bit = FastSlot.unwatched

  /// The bit of strings that aren't required. Required keys have the bits from 0 to 62.
  static let unwatched: UInt32 = 63
}

/// The place of a table's slots. Open addressing; at most half of the slots are full, so that a
/// search always meets an empty one.
struct FastTable {
  /// A string with the unit that it leads to and its bit.
  struct Row {
    let text: String
    let target: UInt32
    var bit = FastSlot.unwatched
  }

  var start: UInt32 = 0
  /// 64 less the number of bits of a position.
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

  /// The slot of `key`, or `.nothing`.
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
    // The eight bytes at either end were compared as words.
    for index in 8..<count - 8 where left[index] != right[index] { return false }
    return true
  }
}
