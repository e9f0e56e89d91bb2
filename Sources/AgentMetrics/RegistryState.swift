/// The families with handles, the collectors, and the counts of refused series.
struct RegistryState {
  struct Family {
    let description: FamilyDescription
    var series: [MetricLabels: any Instrument] = [:]
  }

  private(set) var families: [String: Family] = [:]
  private(set) var dropped = DropCounts()
  var collectors: [@Sendable (inout MetricsPage) async -> Void] = []

  mutating func instrument<Handle: Instrument>(
    _ description: FamilyDescription, labels: MetricLabels, limits: MetricsLimits
  ) throws(MetricError) -> Handle {
    var family = try family(description, limits)
    // A known series needs no check: its labels were checked when it was made.
    if let known = family.series[labels] as? Handle { return known }
    try description.check(labels)
    guard family.series.count < limits.series else {
      dropped.add(1, of: description.name)
      throw MetricError(
        .limit,
        "\"\(description.name)\" has \(limits.series) combinations of labels already; no more are "
          + "kept. Use labels with few values.")
    }
    let made = Handle(bounds: family.description.bounds)
    family.series[labels] = made
    families[description.name] = family
    return made
  }

  private func family(
    _ description: FamilyDescription, _ limits: MetricsLimits
  ) throws(MetricError) -> Family {
    let name = description.name
    if let known = families[name] {
      guard known.description.kind == description.kind else {
        throw MetricError(
          .conflict, "\"\(name)\" is a \(known.description.kind.rawValue) already.")
      }
      return known
    }
    try description.check()
    if let other = description.clash({ families[$0]?.description.kind }) {
      throw MetricError(
        .conflict, "\"\(name)\" and \"\(other)\" can't both be there: one is part of the other.")
    }
    guard families.count < limits.families else {
      throw MetricError(.limit, "There are \(limits.families) metrics already; no more are kept.")
    }
    return Family(description: description)
  }

  mutating func drop(_ count: Int, of family: String) { dropped.add(count, of: family) }

  mutating func remove(where matches: (String, MetricLabels) -> Bool) {
    for (name, family) in families {
      let kept = family.series.filter { !matches(name, $0.key) }
      guard kept.count < family.series.count else { continue }
      families[name] = kept.isEmpty ? nil : Family(description: family.description, series: kept)
    }
  }
}
