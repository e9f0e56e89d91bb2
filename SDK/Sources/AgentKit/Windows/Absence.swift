/// When each mnemonic was last seen, and which absences have been reported.
struct Absence: Sendable, Hashable {
  private struct Sighting: Sendable, Hashable {
    /// When it was last seen; `nil` before the first check.
    var last: Int64?
    var isReported = false
  }

  private var sights: [String: Sighting] = [:]
  private let order: [String]
  private var returned: Set<String> = []

  init(_ mnemonics: [String]) {
    order = mnemonics
    for mnemonic in mnemonics { sights[mnemonic] = Sighting() }
  }

  mutating func recordEvent(_ mnemonic: String, at now: Int64) {
    if sights[mnemonic]?.isReported == true { returned.insert(mnemonic) }
    sights[mnemonic] = Sighting(last: now)
  }

  /// The mnemonics that are newly missing, and those that are newly back.
  mutating func changes(at now: Int64, patience: Int64) -> [SlidingWindow.Change] {
    var missing: [String] = []
    for mnemonic in order {
      guard var sighting = sights[mnemonic] else { continue }
      // After the clock was set back, the time counts from the new time.
      let last = min(sighting.last ?? now, now)
      sighting.last = last
      let (since, overflow) = now.subtractingReportingOverflow(last)
      if !sighting.isReported, overflow || since >= patience {
        sighting.isReported = true
        missing.append(mnemonic)
      }
      sights[mnemonic] = sighting
    }
    let back = order.filter(returned.contains)
    returned = []
    return (back.isEmpty ? [] : [.returned(back)]) + (missing.isEmpty ? [] : [.missing(missing)])
  }

  var absent: [String] { order.filter { sights[$0]?.isReported == true } }
}

extension SlidingWindow {
  /// A change in whether mnemonics have values.
  public enum Change: Sendable, Hashable {
    /// They have had no value for as long as the window's patience. Reported once.
    case missing([String])
    /// They were reported as missing and have a value again.
    case returned([String])
  }

  /// The changes since the last call: which mnemonics are missing now, and which are back. Call it
  /// after taking a row, and from time to time when none come. `now` is the time in Unix
  /// milliseconds.
  public mutating func changes(at now: Int64) -> [Change] {
    absence.changes(at: now, patience: Int64(patience.wholeMilliseconds))
  }

  /// The mnemonics that were reported as missing and aren't back.
  public var missing: [String] { absence.absent }
}
