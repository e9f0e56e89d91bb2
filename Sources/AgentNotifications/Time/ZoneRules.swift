/// By how much the clocks of a place are ahead of UTC, and when that changes.
public struct ZoneRules: Sendable, Hashable {
  struct Change: Sendable, Hashable {
    /// Unix seconds.
    let moment: Int64
    /// Seconds ahead of UTC from then on.
    let offset: Int
  }

  /// Seconds ahead of UTC before the first change.
  private let initial: Int
  private let changes: [Change]
  /// What goes on for ever after the last change.
  private let rule: ZoneFooter?

  /// UTC.
  public static let utc = ZoneRules(initial: 0, changes: [], rule: nil)

  init(initial: Int, changes: [Change], rule: ZoneFooter?) {
    self.initial = initial
    self.changes = changes
    self.rule = rule
  }

  /// Seconds ahead of UTC at a moment, which is given in Unix seconds.
  func offset(at second: Int64) -> Int {
    guard let last = changes.last else { return rule?.offset(at: second) ?? initial }
    if second >= last.moment, let rule { return rule.offset(at: second) }
    let index = firstChange(after: second)
    return index == 0 ? initial : changes[index - 1].offset
  }

  /// The second of the day that clocks show.
  func secondOfDay(_ second: Int64) -> Int {
    let local = second.adding(Int64(offset(at: second)))
    return Int(local - local.flooredDivision(by: 86_400) * 86_400)
  }

  /// When the offset may change next; nil when it never does.
  func nextChange(after second: Int64) -> Int64? {
    let index = firstChange(after: second)
    if index < changes.count { return changes[index].moment }
    return rule?.nextChange(after: second)
  }

  private func firstChange(after second: Int64) -> Int {
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle].moment <= second { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
