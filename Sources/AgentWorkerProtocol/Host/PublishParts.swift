/// A long PUBLISH as short ones, so that no look at one holds the supervision thread for long.
///
/// It finds where events begin and end, and parses none: each part is parsed by itself. Where
/// events don't stand as they do in JSON a part isn't JSON either, and is refused then.
struct PublishParts {
  /// The most bytes of a PUBLISH that is parsed as a whole. An event fits.
  static let maxBytes = FrameBounds.maxEvent + 2

  /// PUBLISH frames of at most ``maxBytes``, in order.
  private(set) var frames: [Frame] = []
  /// How many bytes the events have that were left out, because one may have less.
  private(set) var tooLong: [Int] = []

  private var part: [UInt8] = []

  /// Divides a body.
  /// - Parameter credit: how many events there may be; behind them nothing is looked at.
  init(_ body: [UInt8], credit: Int) throws(WorkerProtocolError) {
    let events = try body.withUnsafeBufferPointer { bytes throws(WorkerProtocolError) in
      var scan = EventScan(bytes)
      return try scan.events(limit: credit)
    }
    for event in events {
      guard event.count <= FrameBounds.maxEvent else {
        tooLong.append(event.count)
        continue
      }
      if part.count + event.count + 1 > Self.maxBytes { finishPart() }
      part.append(part.isEmpty ? UInt8(ascii: "[") : UInt8(ascii: ","))
      part.append(contentsOf: body.dropFirst(event.lowerBound).prefix(event.count))
    }
    finishPart()
  }

  private mutating func finishPart() {
    guard !part.isEmpty else { return }
    part.append(UInt8(ascii: "]"))
    frames.append(Frame(.publish, body: part))
    part = []
  }
}

/// Finds the elements of an array of objects.
private struct EventScan {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var place = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  mutating func events(limit: Int) throws(WorkerProtocolError) -> [Range<Int>] {
    var events: [Range<Int>] = []
    guard next() == UInt8(ascii: "[") else { throw wrong }
    place += 1
    if next() == UInt8(ascii: "]") { return try ended(events) }
    while next() == UInt8(ascii: "{") {
      guard events.count < limit else {
        throw WorkerProtocolError(
          code: .body,
          message: "PUBLISH spent credit for more than \(limit) events; \(limit) were granted.")
      }
      let begin = place
      skipEvent()
      events.append(begin..<place)
      let end = next()
      if end == UInt8(ascii: "]") { return try ended(events) }
      guard end == UInt8(ascii: ",") else { throw wrong }
      place += 1
    }
    throw wrong
  }

  private mutating func ended(
    _ events: [Range<Int>]
  ) throws(WorkerProtocolError) -> [Range<Int>] {
    place += 1
    guard next() == nil else { throw wrong }
    return events
  }

  private var wrong: WorkerProtocolError { .body("PUBLISH", "isn't an array of objects") }

  /// The byte behind white space; nil at the end.
  private mutating func next() -> UInt8? {
    while place < bytes.count {
      switch bytes[place] {
      case 0x20, 0x0A, 0x0D, 0x09: place += 1
      case let byte: return byte
      }
    }
    return nil
  }

  /// Goes behind the bracket that closes the one here, or to the end.
  private mutating func skipEvent() {
    var depth = 0
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth == 0 { return }
      case UInt8(ascii: "\""): skipText()
      default: break
      }
    }
  }

  private mutating func skipText() {
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      if byte == UInt8(ascii: "\"") { return }
      if byte == UInt8(ascii: "\\") { place += 1 }
    }
    place = bytes.count
  }
}
