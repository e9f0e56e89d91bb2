/// Remembers since when each part is in its state. Pure: time comes with the snapshots.
package struct HealthRecord: Sendable {
  private struct Entry: Sendable {
    var state: HealthState
    var since: Int64
  }

  private var entries: [String: Entry] = [:]
  private var whole: Entry?

  package init() {}

  /// Takes what was found at a moment; what isn't among it is forgotten.
  ///
  /// A part keeps its `since` while it stays in one state, whatever its reason becomes. When
  /// two snapshots have one name, the worse counts.
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
    // Whole: a part that is gone begins anew when it comes back.
    entries = next
    let overall = Self.next(after: whole, state: snapshots.overall, known: nil, now: now)
    whole = overall
    return HealthReport(state: overall.state, since: overall.since, components: components)
  }

  private static func next(
    after former: Entry?, state: HealthState, known: Int64?, now: Int64
  ) -> Entry {
    // The part knows better than the looks, which are seconds apart. Never in the future, should
    // its clock be wrong.
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
