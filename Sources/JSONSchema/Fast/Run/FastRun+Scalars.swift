import AgentJSON
import ECMARegex

extension FastRun {
  // MARK: Strings

  /// Returns the string of record `index` for a look-up. It must have no escapes.
  @inline(__always)
  func key(_ index: Int) -> FastKey {
    let record = records[index]
    let start = Int(record.start) &+ 1
    let length = Int(record.end) &- 1 &- start
    // The bytes after the string may be read with it, up to the end of the document.
    return FastKey(bytes + start, length: length, bytesAfter: byteCount &- start &- length)
  }

  /// Calls `body` with the string of record `index`, with escapes decoded.
  @inline(never)
  func withUnescapedKey<Result>(_ index: Int, _ body: (FastKey) -> Result) -> Result {
    var text = string(index)
    return text.withUTF8 { buffer in
      guard let start = buffer.baseAddress else {
        return body(FastKey(bytes, length: 0, bytesAfter: 0))
      }
      return body(FastKey(start, length: buffer.count, bytesAfter: 0))
    }
  }

  /// Returns the string of record `index`.
  func string(_ index: Int) -> String {
    let record = records[index]
    // The mark means that the string has escapes, which the document decodes.
    if record.mark { return document.node(ofRecord: index)?.string ?? "" }
    let start = Int(record.start) + 1
    return String(
      decoding: UnsafeBufferPointer(start: bytes + start, count: Int(record.end) - 1 - start),
      as: UTF8.self)
  }

  @inline(__always)
  func isString(_ slot: UInt32, _ index: Int) -> Bool {
    if records[index].mark {
      return withUnescapedKey(index) { memory.slot(slot, holds: $0) }
    }
    return memory.slot(slot, holds: key(index))
  }

  @inline(__always)
  func isAnyString(_ start: UInt32, shift: UInt32, index: Int) -> Bool {
    find(index, in: FastTable(start: start, shift: shift)) != .nothing
  }

  /// Returns the slot for the string of record `index`, or `.nothing`.
  @inline(__always)
  func find(_ index: Int, in table: FastTable) -> UInt32 {
    if records[index].mark {
      return withUnescapedKey(index) { memory.find($0, in: table) }
    }
    return memory.find(key(index), in: table)
  }

  @inline(__always)
  func hasLength(least: Int, most: Int, at index: Int) -> Bool {
    let record = records[index]
    let count = Int(record.end) &- Int(record.start) &- 2
    // A scalar has one to four bytes. The number of bytes decides for most strings, so their
    // scalars aren't counted. The 3 rounds up the division by 4.
    if !record.mark {
      if count < least { return false }
      if count <= most, count &+ 3 >= least &* 4 { return true }
    }
    return hasCountedLength(least: least, most: most, at: index)
  }

  @inline(never)
  private func hasCountedLength(least: Int, most: Int, at index: Int) -> Bool {
    let record = records[index]
    var count = 0
    if record.mark {
      count = string(index).unicodeScalars.count
    } else {
      // The bytes that continue a scalar have the form 10xxxxxx.
      for offset in Int(record.start) + 1..<Int(record.end) - 1 where bytes[offset] & 0xC0 != 0x80 {
        count += 1
      }
    }
    return count >= least && count <= most
  }

  func matches(_ pattern: Int, _ index: Int) -> Bool {
    let record = records[index]
    let text = UnsafeBufferPointer(
      start: bytes + Int(record.start) + 1, count: Int(record.end) &- Int(record.start) &- 2)
    let outcome =
      record.mark
      ? memory.patterns[pattern].search(string(index)) : memory.patterns[pattern].search(text)
    // Neither result would be right, whatever the schema makes of it.
    if outcome == .exhausted { giveUp() }
    return outcome == .matches
  }

  func hasFormat(_ format: Int, _ index: Int) -> Bool {
    let record = records[index]
    // Otherwise, the document's own bytes are checked without creating a string.
    guard !record.mark else { return program.formats[format].admits(string(index)) }
    let text = UnsafeBufferPointer(
      start: bytes + Int(record.start) + 1, count: Int(record.end) &- Int(record.start) &- 2)
    return program.formats[format].admits(text.span)
  }

  func hasContent(_ content: Int, _ index: Int) -> Bool {
    program.contents[content].fault(in: string(index)) == nil
  }

  // MARK: Numbers

  @inline(__always)
  func isWithin(_ step: FastInstruction, _ index: Int) -> Bool {
    let record = records[index]
    let start = Int(record.start)
    guard let value = FastDecimal.integer(bytes + start, count: Int(record.end) &- start) else {
      // The number has more than 18 digits.
      return meetsExactly(from: step.b, count: step.c, index)
    }
    return value >= memory.integers[Int(step.a)] && value <= memory.integers[Int(step.a) &+ 1]
  }

  func isMultiple(_ step: FastInstruction, _ index: Int) -> Bool {
    let record = records[index]
    let start = Int(record.start)
    guard let value = FastDecimal.integer(bytes + start, count: Int(record.end) - start) else {
      return meetsExactly(step.b, index)
    }
    // Lowering leaves divisors below 1 to the exact demand.
    return value % memory.integers[Int(step.a)] == 0
  }

  /// Returns the number of record `index`, or `nil` if it has too many digits.
  private func decimal(_ index: Int) -> FastDecimal? {
    let record = records[index]
    return FastDecimal(
      UnsafeBufferPointer(
        start: bytes + Int(record.start), count: Int(record.end) - Int(record.start)))
  }

  func isIntegral(_ index: Int) -> Bool {
    decimal(index)?.isInteger ?? document.node(ofRecord: index)?.number?.isInteger ?? false
  }

  func isWithinDecimal(_ step: FastInstruction, _ index: Int) -> Bool {
    guard let value = decimal(index),
      let (left, right) = FastDecimal.aligned(value, memory.decimals[Int(step.a)]),
      let relation = NumberBound.Relation(fast: step.c)
    else { return meetsExactly(step.b, index) }
    return switch relation {
    case .minimum: left >= right
    case .maximum: left <= right
    case .exclusiveMinimum: left > right
    case .exclusiveMaximum: left < right
    }
  }

  func isDecimalMultiple(_ step: FastInstruction, _ index: Int) -> Bool {
    guard let value = decimal(index),
      let (left, right) = FastDecimal.aligned(value, memory.decimals[Int(step.a)]), right > 0
    else { return meetsExactly(step.b, index) }
    return left % right == 0
  }

  @inline(never)
  private func meetsExactly(from first: UInt32, count: UInt32, _ index: Int) -> Bool {
    (0..<count).allSatisfy { meetsExactly(first + $0, index) }
  }

  @inline(never)
  func meetsExactly(_ demand: UInt32, _ index: Int) -> Bool {
    guard let number = document.node(ofRecord: index)?.number else { return true }
    return program.exact[Int(demand)].admits(number)
  }
}

extension NumberBound.Relation {
  init?(fast number: UInt32) {
    guard Self.allCases.indices.contains(Int(number)) else { return nil }
    self = Self.allCases[Int(number)]
  }
}
