/// Reads a TZif file: RFC 8536, section 3.
struct TimeZoneFileReader {
  /// The contents of a file. See ``TimeZoneRules``.
  struct Table {
    var starts: [Int] = []
    var offsets: [Int32] = []
    var footer: PosixTimeZone?
  }

  private struct Header {
    var version: UInt8
    var isUTCCount, isStandardCount, leapCount, timeCount, typeCount, characterCount: Int

    /// Returns the length of the data after the header, in bytes, if a time takes `timeSize` bytes.
    func length(timeSize: Int) -> Int {
      timeCount * (timeSize + 1) + typeCount * 6 + characterCount + leapCount * (timeSize + 4)
        + isStandardCount + isUTCCount
    }
  }

  private let bytes: [UInt8]
  private var position = 0
  private var name = ""

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func table(of name: String) throws(TimeZoneError) -> Table {
    self.name = name
    var header = try header()
    guard header.version > 0 else { return try data(header, timeSize: 4) }
    // The first part is for readers of version 1. The second part has 64-bit times.
    try skip(header.length(timeSize: 4))
    header = try self.header()
    var table = try data(header, timeSize: 8)
    table.footer = try footer()
    return table
  }

  private mutating func header() throws(TimeZoneError) -> Header {
    let start = position
    try skip(44)
    let fields = bytes[start..<position]
    guard fields.prefix(4).elementsEqual("TZif".utf8) else {
      throw damaged("it doesn't start as one")
    }
    let letter = fields[start + 4]
    guard letter == 0 || (0x32...0x39).contains(letter) else {
      throw damaged("its version is unknown")
    }
    let counts = (0..<6).map { integer(at: start + 20 + $0 * 4, size: 4) & 0xffff_ffff }
    // A real file has a few thousand entries at most.
    guard counts.allSatisfy({ $0 <= 1 << 20 }) else { throw damaged("it claims too many entries") }
    let header = Header(
      version: letter == 0 ? 0 : letter - 0x30, isUTCCount: counts[0], isStandardCount: counts[1],
      leapCount: counts[2], timeCount: counts[3], typeCount: counts[4], characterCount: counts[5])
    guard header.typeCount > 0, header.typeCount <= 256 else {
      throw damaged("it has no local time")
    }
    return header
  }

  private mutating func data(_ header: Header, timeSize: Int) throws(TimeZoneError) -> Table {
    let times = position
    try skip(header.length(timeSize: timeSize))
    guard header.leapCount == 0 else {
      throw TimeZoneError(
        .damaged,
        "The time zone \(name) counts leap seconds, which Unix time doesn't. Use the zone of the same name outside of the folder right."
      )
    }
    let indices = times + header.timeCount * timeSize
    let types = indices + header.timeCount
    var table = Table(offsets: [try offset(ofType: 0, in: types)])
    var last = Int.min
    for entry in 0..<header.timeCount {
      let start = integer(at: times + entry * timeSize, size: timeSize)
      let type = Int(bytes[indices + entry])
      guard start > last, type < header.typeCount else {
        throw damaged("its times are out of order")
      }
      last = start
      let offset = try offset(ofType: type, in: types)
      // This entry changes only the zone's name, or it is before the range of times.
      guard offset != table.offsets.last else { continue }
      if start <= -TimeZoneSpan.never {
        table.offsets = [offset]
        continue
      }
      guard start < TimeZoneSpan.never else { throw damaged("one of its times is too far away") }
      table.starts.append(start)
      table.offsets.append(offset)
    }
    return table
  }

  private func offset(ofType type: Int, in types: Int) throws(TimeZoneError) -> Int32 {
    let offset = integer(at: types + type * 6, size: 4)
    guard offset > -25 * 3600, offset < 26 * 3600 else { throw damaged("an offset is too large") }
    return Int32(offset)
  }

  /// Reads the TZ string between two line feeds. It is empty if the table covers all times.
  private mutating func footer() throws(TimeZoneError) -> PosixTimeZone? {
    let rest = bytes[position...]
    guard rest.first == 0x0a, let end = rest.dropFirst().firstIndex(of: 0x0a) else {
      throw damaged("its footer is missing")
    }
    let text = rest[(position + 1)..<end]
    if text.isEmpty { return nil }
    guard let rule = PosixTimeZone(text) else { throw damaged("its footer isn't a rule") }
    return rule
  }

  private mutating func skip(_ count: Int) throws(TimeZoneError) {
    guard bytes.count - position >= count else { throw damaged("it is cut off") }
    position += count
  }

  /// Returns a signed big-endian number. The caller has checked the bounds.
  private func integer(at index: Int, size: Int) -> Int {
    let bits = bytes[index..<(index + size)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return size == 4 ? Int(Int32(truncatingIfNeeded: bits)) : Int(Int64(bitPattern: bits))
  }

  private func damaged(_ why: String) -> TimeZoneError {
    TimeZoneError(
      .damaged,
      "The file of the time zone \(name) isn't a valid TZif file: \(why). Reinstall the package "
        + "tzdata."
    )
  }
}
