/// Reads any document, including a scalar, in one pass and explains its errors. The record of an
/// open container stores the container around it, so that there is no recursion.
///
/// `JSONFastParser` reads valid documents, so this parser is small rather than fast. With its
/// functions inlined, it took three times the space.
struct JSONParser {
  let limits: JSONLimits
  private(set) var records: [JSONRecord] = []
  var offset = 0
  /// The innermost open container, or -1.
  private var open = -1
  private var depth = 0

  /// The expected next item.
  private enum Step { case value, afterValue, done }

  init(limits: JSONLimits) {
    self.limits = limits
  }

  /// The records of a document.
  @inline(never)
  static func records(_ bytes: [UInt8], _ limits: JSONLimits) throws(JSONParseError) -> [JSONRecord]
  {
    var parser = JSONParser(limits: limits)
    try parser.parse(bytes.span)
    return parser.records
  }

  private mutating func parse(_ bytes: Span<UInt8>) throws(JSONParseError) {
    try checkStart(bytes)
    records.reserveCapacity(bytes.count / 8 + 4)
    var step = Step.value
    while step != .done {
      step = step == .value ? try readValue(bytes) : try readAfterValue(bytes)
    }
  }

  @inline(never)
  private func checkStart(_ bytes: Span<UInt8>) throws(JSONParseError) {
    if bytes.count > limits.maxBytes { throw tooLarge(bytes) }
    if bytes.holds(0xEF, at: 0), bytes.holds(0xBB, at: 1), bytes.holds(0xBF, at: 2) {
      throw byteOrderMark(bytes)
    }
  }

  // MARK: Values

  private mutating func readValue(_ bytes: Span<UInt8>) throws(JSONParseError) -> Step {
    skipSpace(bytes)
    guard offset < bytes.count else { throw unexpectedEnd(bytes) }
    countInContainer()
    switch bytes[offset] {
    case .quote: try readString(bytes)
    case .openBrace: return try readOpening(.object, bytes)
    case .openBracket: return try readOpening(.array, bytes)
    case .minus, .zero...UInt8(ascii: "9"): try readNumber(bytes)
    case UInt8(ascii: "t"): try readWord("true", kind: .bool, mark: true, in: bytes)
    case UInt8(ascii: "f"): try readWord("false", kind: .bool, mark: false, in: bytes)
    case UInt8(ascii: "n"): try readWord("null", kind: .null, mark: false, in: bytes)
    default: throw noValue(bytes, after: lastSignificant(bytes))
    }
    return .afterValue
  }

  private mutating func countInContainer() {
    if open >= 0 { records[open].countOneMore() }
  }

  @inline(never)
  private mutating func readOpening(
    _ kind: JSONKind, _ bytes: Span<UInt8>
  ) throws(JSONParseError) -> Step {
    depth += 1
    if depth > limits.maxDepth { throw tooDeep(bytes) }
    records.append(
      JSONRecord(kind, start: offset, end: offset, next: UInt32(truncatingIfNeeded: open)))
    open = records.count - 1
    offset += 1
    skipSpace(bytes)
    if bytes.holds(kind == .object ? .closeBrace : .closeBracket, at: offset) {
      close()
      return .afterValue
    }
    if kind == .object { try readKey(bytes) }
    return .value
  }

  /// Reads a key and its colon.
  @inline(never)
  private mutating func readKey(_ bytes: Span<UInt8>) throws(JSONParseError) {
    guard offset < bytes.count else { throw unexpectedEnd(bytes) }
    guard bytes[offset] == .quote else { throw noKey(bytes, after: lastSignificant(bytes)) }
    try readString(bytes)
    bytes.withUnsafeBytes { bytes in
      if let base = bytes.baseAddress { records[records.count - 1].hashKey(base) }
    }
    skipSpace(bytes)
    guard offset < bytes.count else { throw unexpectedEnd(bytes) }
    guard bytes[offset] == .colon else { throw noColon(bytes) }
    offset += 1
  }

  @inline(never)
  private mutating func readWord(
    _ word: StaticString, kind: JSONKind, mark: Bool, in bytes: Span<UInt8>
  ) throws(JSONParseError) {
    let start = offset
    let end = start + word.utf8CodeUnitCount
    let matches = word.withUTF8Buffer { word in
      end <= bytes.count && word.indices.allSatisfy { bytes[start + $0] == word[$0] }
    }
    guard matches, !(end < bytes.count && bytes[end].isWordByte) else {
      throw noValue(bytes, after: nil)
    }
    append(kind, start: start, end: end, mark: mark)
  }

  @inline(never)
  mutating func append(_ kind: JSONKind, start: Int, end: Int, mark: Bool) {
    let next = UInt32(truncatingIfNeeded: records.count + 1)
    records.append(JSONRecord(kind, start: start, end: end, next: next, mark: mark))
    offset = end
  }

  // MARK: After values

  private mutating func readAfterValue(_ bytes: Span<UInt8>) throws(JSONParseError) -> Step {
    skipSpace(bytes)
    guard open >= 0 else {
      if offset < bytes.count { throw trailingBytes(bytes) }
      return .done
    }
    guard offset < bytes.count else { throw unexpectedEnd(bytes) }
    let isObject = records[open].kind == .object
    switch bytes[offset] {
    case .comma:
      try readComma(isObject: isObject, bytes)
      return .value
    case .closeBrace where isObject:
      try checkKeys(of: open, bytes)
      close()
    case .closeBracket where !isObject:
      close()
    default:
      throw noComma(bytes, isObject: isObject)
    }
    return .afterValue
  }

  @inline(never)
  private mutating func readComma(isObject: Bool, _ bytes: Span<UInt8>) throws(JSONParseError) {
    let comma = offset
    offset += 1
    skipSpace(bytes)
    if bytes.holds(isObject ? .closeBrace : .closeBracket, at: offset) {
      throw trailingComma(bytes, at: comma)
    }
    if isObject { try readKey(bytes) }
  }

  @inline(never)
  private mutating func close() {
    let parent = Int(Int32(bitPattern: records[open].next))
    offset += 1
    depth -= 1
    records[open].end = UInt32(clamping: offset)
    records[open].next = UInt32(clamping: records.count)
    open = parent
  }

  @inline(never)
  private mutating func skipSpace(_ bytes: Span<UInt8>) {
    while offset < bytes.count, bytes[offset].isJSONSpace { offset += 1 }
  }

  /// The innermost open container's record.
  var container: JSONRecord? { open >= 0 ? records[open] : nil }

  /// The last byte before `offset` that isn't whitespace, for messages.
  private func lastSignificant(_ bytes: Span<UInt8>) -> UInt8? {
    var index = offset - 1
    while index >= 0, bytes[index].isJSONSpace { index -= 1 }
    return index >= 0 ? bytes[index] : nil
  }
}
