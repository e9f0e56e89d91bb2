/// Reads a document that is an array or an object. It doesn't explain errors: `JSONParser` reads a
/// refused document again, to explain the error or to accept the document.
///
/// Memory. Every read is below `end`. The last byte is a bracket, so whitespace, numbers and words
/// end before it. Strings check for the end themselves. Only a closing bracket can end at the last
/// byte, and `closeContainers` checks for that. Every write is below the capacity: a record belongs
/// to the root or to the first item of a container, or follows a comma or a colon, and those were
/// counted.
///
/// Duplicate keys. Keys are compared by hash. If two hashes are equal, the keys may be equal too,
/// and `JSONParser` decides.
struct JSONFastParser {
  /// The next byte.
  var cursor: UnsafeRawPointer
  /// The first byte.
  let base: UnsafeRawPointer
  /// The end of the bytes, without whitespace.
  let end: UnsafeRawPointer
  /// The limit up to which eight bytes can be read at once.
  let wide: UnsafeRawPointer
  let records: UnsafeMutablePointer<JSONRecord>
  /// The number of records.
  var count = 0
  /// The record of the innermost open container. Its `next` is the container around it.
  private var open = 0
  /// The future tag of that record, which counts its items.
  private var tag: UInt32 = 0
  private var depth = 0
  private let maxDepth: Int

  private init(
    text: UnsafeRawBufferPointer, base: UnsafeRawPointer,
    records: UnsafeMutablePointer<JSONRecord>, limits: JSONLimits
  ) {
    cursor = base
    self.base = base
    self.records = records
    end = base + text.count
    wide = end - 8
    maxDepth = limits.maxDepth
  }

  /// Returns the records of a document, whose memory the caller must free. Returns `nil` if the
  /// document is invalid or only a scalar.
  static func records(_ bytes: [UInt8], _ limits: JSONLimits) -> UnsafeBufferPointer<JSONRecord>? {
    bytes.withUnsafeBytes { bytes in
      let text = bytes.withoutTrailingSpace
      guard text.count >= 8, bytes.count <= limits.maxBytes, let base = text.baseAddress,
        let last = text.last, last == .closeBrace || last == .closeBracket
      else { return nil }
      let records = UnsafeMutablePointer<JSONRecord>.allocate(capacity: text.maxRecords)
      var parser = JSONFastParser(text: text, base: base, records: records, limits: limits)
      guard parser.parse() else {
        records.deallocate()
        return nil
      }
      return UnsafeBufferPointer(start: records, count: parser.count)
    }
  }

  private mutating func parse() -> Bool {
    skipSpace()
    guard byte == .openBrace || byte == .openBracket else { return false }
    while true {
      guard readValue(), closeContainers() else { return false }
      if depth == 0 { return cursor == end }
      guard byte == .comma else { return false }
      cursor += 1
      tag &+= 16
      if isObject {
        skipSpace()
        guard readKey() else { return false }
      }
    }
  }

  /// Reads the beginning of a value: its opening brackets, up to a scalar or an empty container.
  @inline(__always)
  private mutating func readValue() -> Bool {
    while true {
      skipSpace()
      switch byte {
      case .quote:
        return readString()
      case .openBrace, .openBracket:
        guard openContainer() else { return false }
        if byte == closing { return true }
        tag = tag &+ 16
        if isObject, !readKey() { return false }
      case .minus, .zero...UInt8(ascii: "9"):
        return readNumber()
      default:
        return readWord()
      }
    }
  }

  // MARK: Containers

  private var isObject: Bool { tag & 1 != 0 }

  /// The bracket that closes the innermost open container.
  private var closing: UInt8 { isObject ? .closeBrace : .closeBracket }

  @inline(__always)
  private mutating func openContainer() -> Bool {
    guard depth < maxDepth else { return false }
    if depth > 0 { records[open].tag = tag }
    depth += 1
    tag = UInt32((byte == .openBrace ? JSONKind.object : .array).rawValue)
    append(start: offset, end: 0, next: UInt32(truncatingIfNeeded: open), tag: tag)
    open = count - 1
    cursor += 1
    skipSpace()
    return true
  }

  /// Closes the containers that end here, and moves to the next item.
  @inline(__always)
  private mutating func closeContainers() -> Bool {
    skipSpace()
    while byte == closing {
      cursor += 1
      if tag >= 32, isObject, mayHaveDuplicate { return false }
      let parent = Int(records[open].next)
      records[open].close(end: offset, next: UInt32(truncatingIfNeeded: count), tag: tag)
      depth -= 1
      if depth == 0 { return true }
      open = parent
      tag = records[parent].tag
      guard cursor < end else { return false }
      skipSpace()
    }
    return true
  }

  private var mayHaveDuplicate: Bool {
    @inline(__always) get {
      JSONKeys(records: records, first: open + 1, end: count, count: Int(tag >> 4)).mayRepeat
    }
  }

  /// Reads a key and its colon.
  @inline(__always)
  private mutating func readKey() -> Bool {
    guard byte == .quote, readKeyString() else { return false }
    skipSpace()
    guard byte == .colon else { return false }
    cursor += 1
    return true
  }

  // MARK: Bytes

  var byte: UInt8 {
    @inline(__always) get { cursor.load(as: UInt8.self) }
  }

  /// The offset of the next byte.
  var offset: UInt32 {
    @inline(__always) get { UInt32(truncatingIfNeeded: cursor - base) }
  }

  /// Adds the record of a value that starts at `start`.
  @inline(__always)
  mutating func append(start: UInt32, end: UInt32, next: UInt32, tag: UInt32) {
    (records + count).initialize(to: JSONRecord(start: start, end: end, next: next, tag: tag))
    count &+= 1
  }
}
