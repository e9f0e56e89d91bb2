/// Records the time since which each part has been in its state. It is pure: the caller passes the
/// time.
package struct HealthRecord: Sendable {
  private struct Entry: Sendable {
    var state: HealthState
    var since: Int64
  }

  private var entries: [String: Entry] = [:]
  private var whole: Entry?

  package init() {}

  /// Records the snapshots of a moment. Parts that aren't among them are removed.
  ///
  /// A part keeps its `since` while its state stays the same, even if its reason changes. If two
  /// snapshots have the same name, the worse one counts.
  package mutating func take(_ snapshots: [HealthSnapshot], at now: Int64) -> HealthReport {
    let snapshots = Self.distinct(snapshots)
    var next: [String: Entry] = [:]
    let components = snapshots.map { snapshot in
      let entry = Self.next(
        after: entries[snapshot.name], state: snapshot.state, known: snapshot.since, now: now)
      next[snapshot.name] = entry
      return HealthReport.Component(
        name: snapshot.name, state: snapshot.state,
        reason: snapshot.state == .ok ? nil : snapshot.reason, since: entry.since)
    }
    // All entries are replaced, so that a part that was gone begins anew.
    entries = next
    let overall = Self.next(after: whole, state: snapshots.overall, known: nil, now: now)
    whole = overall
    return HealthReport(state: overall.state, since: overall.since, components: components)
  }

  private static func next(
    after former: Entry?, state: HealthState, known: Int64?, now: Int64
  ) -> Entry {
    // The part knows the time better than this record, whose snapshots are seconds apart. The time
    // is never in the future, even if the part's clock is wrong.
    if let known { return Entry(state: state, since: min(known, now)) }
    if let former, former.state == state { return former }
    return Entry(state: state, since: now)
  }

  private static func distinct(_ snapshots: [HealthSnapshot]) -> [HealthSnapshot] {
    var places: [String: Int] = [:]
    var result: [HealthSnapshot] = []
    for snapshot in snapshots {
      if let place = places[snapshot.name] {
        if snapshot.state > result[place].state { result[place] = snapshot }
      } else {
        places[snapshot.name] = result.count
        result.append(snapshot)
      }
    }
    return result
  }
}
