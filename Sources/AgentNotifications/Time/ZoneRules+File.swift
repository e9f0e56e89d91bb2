extension ZoneRules {
  /// Reads a file of the time zone database: TZif, RFC 8536. nil when it isn't one.
  ///
  /// Of a file of version 2 or later only the second part counts, which has 64-bit moments.
  public init?(tzif bytes: [UInt8]) {
    var reader = BigEndianReader(bytes)
    guard let first = TZifHeader(&reader) else { return nil }
    guard first.version >= UInt8(ascii: "2") else {
      self.init(first, &reader, width: 4)
      return
    }
    guard reader.skip(first.size(width: 4)), let second = TZifHeader(&reader) else { return nil }
    self.init(second, &reader, width: 8)
  }

  private init?(_ header: TZifHeader, _ reader: inout BigEndianReader, width: Int) {
    var moments: [Int64] = []
    for _ in 0..<header.times {
      guard let moment = reader.signed(width) else { return nil }
      moments.append(moment)
    }
    guard let kinds = reader.bytes(header.times) else { return nil }
    var offsets: [Int] = []
    for _ in 0..<header.types {
      guard let offset = reader.signed(4), reader.skip(2) else { return nil }
      offsets.append(Int(offset))
    }
    guard let initial = offsets.first, reader.skip(header.tail(width: width)) else { return nil }
    var changes: [Change] = []
    for (moment, kind) in zip(moments, kinds) {
      guard Int(kind) < offsets.count, changes.last.map({ $0.moment < moment }) ?? true else {
        return nil
      }
      changes.append(Change(moment: moment, offset: offsets[Int(kind)]))
    }
    let footer = reader.rest.split(separator: UInt8(ascii: "\n")).first
    let rule = footer.flatMap { ZoneFooter(parsing: String(decoding: $0, as: UTF8.self)) }
    self.init(initial: initial, changes: changes, rule: width == 8 ? rule : nil)
  }
}

/// The header of a part: how many there are of what (RFC 8536, section 3.1).
private struct TZifHeader {
  let version: UInt8
  private let isUTC: Int
  private let isStandard: Int
  private let leaps: Int
  let times: Int
  let types: Int
  private let characters: Int

  init?(_ reader: inout BigEndianReader) {
    guard let magic = reader.bytes(4), Array(magic) == Array("TZif".utf8),
      let version = reader.bytes(1)?.first, reader.skip(15)
    else { return nil }
    var counts: [Int] = []
    for _ in 0..<6 {
      guard let count = reader.signed(4), (0..<1 << 20).contains(count) else { return nil }
      counts.append(Int(count))
    }
    self.version = version
    (isUTC, isStandard, leaps) = (counts[0], counts[1], counts[2])
    (times, types, characters) = (counts[3], counts[4], counts[5])
  }

  /// The bytes after the types.
  func tail(width: Int) -> Int { characters + leaps * (width + 4) + isStandard + isUTC }

  /// The bytes of the whole part.
  func size(width: Int) -> Int { times * (width + 1) + types * 6 + tail(width: width) }
}

private struct BigEndianReader {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
    guard rest.count >= count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  mutating func skip(_ count: Int) -> Bool { bytes(count) != nil }

  /// A number of 4 or 8 bytes.
  mutating func signed(_ width: Int) -> Int64? {
    guard let bytes = bytes(width) else { return nil }
    let value = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return width == 4
      ? Int64(Int32(truncatingIfNeeded: value)) : Int64(bitPattern: value)
  }
}
