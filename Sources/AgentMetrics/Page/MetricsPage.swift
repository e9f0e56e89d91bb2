/// Every metric at one moment: what handles have counted, and what collectors read.
public struct MetricsPage: Sendable {
  private let limits: MetricsLimits
  private var byName: [String: MetricFamily] = [:]
  var dropped = DropCounts()

  init(limits: MetricsLimits) { self.limits = limits }

  /// The families in the order of their names, their series in that of their labels.
  public var families: [MetricFamily] {
    byName.values.sorted { $0.name < $1.name }.map { family in
      var family = family
      family.samples.sort { left, right in
        left.labels.pairs.lexicographicallyPrecedes(right.labels.pairs) {
          ($0.name, $0.value) < ($1.name, $1.value)
        }
      }
      return family
    }
  }

  /// The family `name`, if it is there.
  public subscript(name: String) -> MetricFamily? { byName[name] }

  /// Says what a counter stands at that is counted elsewhere.
  public mutating func counter(
    _ name: String, help: String, labels: MetricLabels = [:], value: Double
  ) {
    add(
      FamilyDescription(name: name, kind: .counter, help: help), labels: labels,
      value: .number(value))
  }

  /// Says what a counter stands at that is counted elsewhere.
  public mutating func counter(
    _ name: String, help: String, labels: MetricLabels = [:], value: Int
  ) { counter(name, help: help, labels: labels, value: Double(value)) }

  /// Writes the current value.
  public mutating func gauge(
    _ name: String, help: String, labels: MetricLabels = [:], value: Double
  ) {
    add(
      FamilyDescription(name: name, kind: .gauge, help: help), labels: labels, value: .number(value)
    )
  }

  /// Writes the current value.
  public mutating func gauge(
    _ name: String, help: String, labels: MetricLabels = [:], value: Int
  ) { gauge(name, help: help, labels: labels, value: Double(value)) }

  /// Says what a histogram holds that is counted elsewhere.
  public mutating func histogram(
    _ name: String, help: String, labels: MetricLabels = [:], value: HistogramSnapshot
  ) {
    let description = FamilyDescription(
      name: name, kind: .histogram, help: help, bounds: value.bounds)
    add(description, labels: labels, value: .histogram(value))
  }

  /// Adds one series; one that can't be there is counted instead: a page is never half wrong.
  mutating func add(
    _ description: FamilyDescription, labels: MetricLabels, value: MetricValue
  ) {
    do {
      try description.check(labels)
      try join(description)
      guard byName[description.name]?.samples.count ?? 0 < limits.series,
        byName[description.name]?.known.insert(labels).inserted == true
      else { return dropped.add(1, of: description.name) }
      byName[description.name]?.samples.append(MetricSample(labels: labels, value: value))
    } catch {
      dropped.add(1, of: description.name)
    }
  }

  /// Makes the family, unless it is there.
  private mutating func join(_ description: FamilyDescription) throws(MetricError) {
    if let known = byName[description.name] {
      guard known.kind == description.kind else {
        throw MetricError(.conflict, "\"\(known.name)\" is a \(known.kind.rawValue) already.")
      }
      return
    }
    try description.check()
    guard byName.count < limits.families, description.clash({ byName[$0]?.kind }) == nil else {
      throw MetricError(.limit, "\"\(description.name)\" can't be added.")
    }
    byName[description.name] = MetricFamily(
      name: description.name, kind: description.kind, help: description.help)
  }
}

/// How much wasn't kept, by family.
struct DropCounts: Sendable {
  /// How many families are counted separately. Further ones are counted as `other`, so that this
  /// table can't grow without limit either.
  private static let most = 100

  private(set) var counts: [String: Int] = [:]

  mutating func add(_ count: Int, of family: String) {
    let known = counts[family] != nil || counts.count < Self.most
    counts[known ? String(family.prefix(200)) : "other", default: 0] += count
  }
}
