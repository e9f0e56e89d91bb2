/// A sequence of sets with counts in which one scalar decides each step: `^[a-z][a-z0-9_-]*$`,
/// `^\d{4}-\d{2}$`, `^.{1,80}$`, `\S`. Large counts cost nothing here.
final class PatternChain: Sendable {
  struct Link: Sendable {
    var set: ScalarSet
    var least: Int
    var most: Int
  }

  /// A set without its lists, so that reading it needs no reference counting.
  private struct Step {
    let ascii: ASCIISet
    let least: Int
    let most: Int
    /// Whether the set may contain a scalar beyond ASCII.
    let reachesBeyondASCII: Bool
  }

  private let steps: ContiguousArray<Step>
  private let sets: [ScalarSet]
  private let isAtStart: Bool
  private let isAtEnd: Bool

  /// Returns `nil` if the sets leave a choice, so that an automaton is necessary.
  init?(_ links: [Link], isAtStart: Bool, isAtEnd: Bool) {
    var links = links
    if !isAtEnd {
      // An optional part at the end doesn't change the result.
      while let last = links.last, last.least == 0 { links.removeLast() }
      if let last = links.indices.last { links[last].most = links[last].least }
    }
    guard isAtStart ? Self.isDecided(links) : (links.count == 1 && !isAtEnd) else { return nil }
    steps = ContiguousArray(
      links.map { link in
        Step(
          ascii: link.set.ascii, least: link.least, most: link.most,
          reachesBeyondASCII: !link.set.isASCII)
      })
    sets = links.map(\.set)
    self.isAtStart = isAtStart
    self.isAtEnd = isAtEnd
  }

  /// Returns whether the scalars of a link can't be needed by a later one.
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
    steps.withUnsafeBufferPointer { steps in
      guard var place = bytes.baseAddress.map({ UnsafePointer($0) }) else {
        return steps.allSatisfy { $0.least == 0 }
      }
      let end = place + bytes.count
      if !isAtStart { return search(&place, end: end, step: steps[0]) }
      for index in steps.indices {
        guard take(&place, end: end, step: steps[index], index: index) else { return false }
      }
      return !isAtEnd || place == end
    }
  }

  /// Skips all members. Returns whether there were enough.
  @inline(__always)
  private func take(
    _ place: inout UnsafePointer<UInt8>, end: UnsafePointer<UInt8>, step: Step, index: Int
  ) -> Bool {
    var here = place
    var left = step.most
    while here < end, left > 0 {
      let byte = here.pointee
      if byte < 0x80 {
        guard step.ascii.contains(byte) else { break }
        here += 1
      } else {
        let before = here
        guard step.reachesBeyondASCII, sets[index].contains(UTF8Text.scalar(at: &here, end)) else {
          here = before
          break
        }
      }
      left -= 1
    }
    place = here
    return step.most - left >= step.least
  }

  /// Returns whether enough members follow each other anywhere in the text.
  private func search(
    _ place: inout UnsafePointer<UInt8>, end: UnsafePointer<UInt8>, step: Step
  ) -> Bool {
    while true {
      if take(&place, end: end, step: step, index: 0) { return true }
      guard place < end else { return false }
      // This scalar isn't a member, so no sequence contains it.
      if place.pointee < 0x80 { place += 1 } else { _ = UTF8Text.scalar(at: &place, end) }
    }
  }
}
