/// Sets that follow one another, each some number of times, where every step is decided by one
/// scalar: `^[a-z][a-z0-9_-]*$`, `^\d{4}-\d{2}$`, `^.{1,80}$`, `\S`. Counts cost nothing here.
final class PatternChain: Sendable {
  struct Link: Sendable {
    var set: ScalarSet
    var least: Int
    var most: Int
  }

  private let links: [Link]
  private let isAtStart: Bool
  private let isAtEnd: Bool

  /// Nil where the sets leave a choice, so that an automaton is needed.
  init?(_ links: [Link], isAtStart: Bool, isAtEnd: Bool) {
    var links = links
    if !isAtEnd {
      // What may be there or not at the end makes no difference.
      while let last = links.last, last.least == 0 { links.removeLast() }
      if let last = links.indices.last { links[last].most = links[last].least }
    }
    guard isAtStart ? Self.isDecided(links) : (links.count == 1 && !isAtEnd) else { return nil }
    self.links = links
    self.isAtStart = isAtStart
    self.isAtEnd = isAtEnd
  }

  /// Whether what a link takes can't be what a later one needed.
  private static func isDecided(_ links: [Link]) -> Bool {
    for (index, link) in links.enumerated() where link.most > link.least {
      for other in links[(index + 1)...] {
        guard link.set.isDisjoint(with: other.set) else { return false }
        if other.least > 0 { break }
      }
    }
    return true
  }

  func matches(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard var place = bytes.baseAddress.map({ UnsafePointer($0) }) else {
      return links.allSatisfy { $0.least == 0 }
    }
    let end = place + bytes.count
    return links.withUnsafeBufferPointer { links in
      if !isAtStart { return Self.search(&place, end, links[0]) }
      for index in links.indices {
        guard Self.take(&place, end, links[index]) else { return false }
      }
      return !isAtEnd || place == end
    }
  }

  /// Moves over as many members as there are; whether they are enough.
  @inline(__always)
  private static func take(
    _ place: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ link: borrowing Link
  ) -> Bool {
    let ascii = link.set.ascii
    let most = link.most
    var count = 0
    while place < end, count < most {
      let byte = place.pointee
      if byte < 0x80 {
        guard ascii.contains(byte) else { break }
        place += 1
      } else {
        let before = place
        guard link.set.contains(UTF8Text.scalar(at: &place, end)) else {
          place = before
          break
        }
      }
      count += 1
    }
    return count >= link.least
  }

  /// Whether enough members follow one another anywhere.
  private static func search(
    _ place: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ link: borrowing Link
  ) -> Bool {
    while true {
      if take(&place, end, link) { return true }
      guard place < end else { return false }
      // The scalar here is no member; no run reaches over it.
      if place.pointee < 0x80 { place += 1 } else { _ = UTF8Text.scalar(at: &place, end) }
    }
  }
}
