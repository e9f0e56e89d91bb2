/// Remembers since when each part is in its state. Pure: time comes with the readings.
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
  /// two readings have one name, the worse counts.
  package mutating func take(_ readings: [HealthReading], at now: Int64) -> HealthReport {
    let readings = Self.distinct(readings)
    var next: [String: Entry] = [:]
    let components = readings.map { reading in
      let entry = Self.next(
        after: entries[reading.name], state: reading.state, known: reading.since, now: now)
      next[reading.name] = entry
      return HealthReport.Component(
        name: reading.name, state: reading.state,
        reason: reading.state == .ok ? nil : reading.reason, since: entry.since)
    }
    // Whole: a part that is gone begins anew when it comes back.
    entries = next
    let overall = Self.next(after: whole, state: readings.overall, known: nil, now: now)
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

  private static func distinct(_ readings: [HealthReading]) -> [HealthReading] {
    var places: [String: Int] = [:]
    var result: [HealthReading] = []
    for reading in readings {
      if let place = places[reading.name] {
        if reading.state > result[place].state { result[place] = reading }
      } else {
        places[reading.name] = result.count
        result.append(reading)
      }
    }
    return result
  }
}
