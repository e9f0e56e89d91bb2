/// Reads scalars from UTF-8. An invalid byte is read as U+FFFD. It never reads beyond the end.
enum UTF8Text {
  /// Returns the scalar at `place` and moves `place` behind it. The byte there must not be ASCII.
  static func scalar(at place: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> UInt32 {
    let lead = place.pointee
    place += 1
    let count = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1
    guard lead >= 0xC2, lead < 0xF5, end - place >= count else { return 0xFFFD }
    var value = UInt32(lead) & (0x3F >> UInt32(count))
    for index in 0..<count {
      let byte = place[index]
      guard byte & 0xC0 == 0x80 else { return 0xFFFD }
      value = value << 6 | UInt32(byte & 0x3F)
    }
    place += count
    return min(value, 0x10FFFF)
  }

  static func scalars(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt32] {
    guard var place = bytes.baseAddress else { return [] }
    let end = place + bytes.count
    var scalars: [UInt32] = []
    scalars.reserveCapacity(bytes.count)
    while place < end {
      if place.pointee < 0x80 {
        scalars.append(UInt32(place.pointee))
        place += 1
      } else {
        scalars.append(scalar(at: &place, end))
      }
    }
    return scalars
  }
}
