/// Divides a long PUBLISH into short ones, so that none of them occupies the supervision thread for
/// long.
///
/// It finds the ends of events without parsing them. Each part is parsed later. If the text isn't
/// JSON, its part isn't either, and is refused then.
struct PublishParts {
  /// The largest PUBLISH that is parsed as a whole, in bytes. Every event fits.
  static let maxBytes = FrameBounds.maxEvent + 2

  /// PUBLISH frames of at most ``maxBytes``, in order.
  private(set) var frames: [Frame] = []
  /// The sizes of the events that were left out because they are too long, in bytes.
  private(set) var tooLong: [Int] = []

  private var part: [UInt8] = []

  /// Divides a body.
  /// - Parameter credit: the largest number of events. Nothing after them is read.
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

  /// Returns the next byte that isn't white space, or `nil` at the end.
  private mutating func next() -> UInt8? {
    while place < bytes.count {
      switch bytes[place] {
      case 0x20, 0x0A, 0x0D, 0x09: place += 1
      case let byte: return byte
      }
    }
    return nil
  }

  /// Moves behind the bracket that closes this one, or to the end.
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
