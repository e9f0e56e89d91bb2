/// The limits of a registry. Series beyond them aren't kept but counted, so that a label with
/// unexpectedly many values costs neither memory nor time for the scrape.
public struct MetricsLimits: Sendable {
  /// The largest number of families.
  public var families = 2000
  /// The largest number of combinations of labels of each family.
  public var series = 1000

  /// Creates limits. The defaults suit a host with many modules.
  public init(families: Int = 2000, series: Int = 1000) {
    self.families = families
    self.series = series
  }
}

/// Every metric at one moment: the values of handles, and the values that collectors read.
public struct MetricsPage: Sendable {
  private let limits: MetricsLimits
  private var byName: [String: MetricFamily] = [:]
  var dropped = DropCounts()

  init(limits: MetricsLimits) { self.limits = limits }

  /// The families ordered by name, each with its series ordered by their labels.
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

  /// Returns the family `name`, or `nil` if the page has none.
  public subscript(name: String) -> MetricFamily? { byName[name] }

  /// Adds the current sum of a counter that is counted elsewhere.
  public mutating func counter(
    _ name: String, help: String, labels: MetricLabels = [:], value: Double
  ) {
    add(
      FamilyDescription(name: name, kind: .counter, help: help), labels: labels,
      value: .number(value))
  }

  /// Adds the current sum of a counter that is counted elsewhere in whole numbers.
  public mutating func counter(
    _ name: String, help: String, labels: MetricLabels = [:], value: Int
  ) { counter(name, help: help, labels: labels, value: Double(value)) }

  /// Adds the current value of a gauge.
  public mutating func gauge(
    _ name: String, help: String, labels: MetricLabels = [:], value: Double
  ) {
    add(
      FamilyDescription(name: name, kind: .gauge, help: help), labels: labels, value: .number(value)
    )
  }

  /// Adds the current value of a gauge that holds whole numbers.
  public mutating func gauge(
    _ name: String, help: String, labels: MetricLabels = [:], value: Int
  ) { gauge(name, help: help, labels: labels, value: Double(value)) }

  /// Adds the counts of a histogram that is counted elsewhere.
  public mutating func histogram(
    _ name: String, help: String, labels: MetricLabels = [:], value: HistogramSnapshot
  ) {
    let description = FamilyDescription(
      name: name, kind: .histogram, help: help, bounds: value.bounds)
    add(description, labels: labels, value: .histogram(value))
  }

  /// Adds one series. A series that breaks a rule or a limit is only counted, so that one bad
  /// series doesn't make the whole page unreadable for Prometheus.
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

  /// Creates the family unless the page has it.
  /// - Throws: `MetricError` if the name or the kind clashes with another family, or the page is
  ///   full.
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

/// The number of series that weren't kept, by family.
struct DropCounts: Sendable {
  /// The number of families that are counted separately. Further ones are counted as `other`, so
  /// that this table can't grow without limit either.
  private static let most = 100

  private(set) var counts: [String: Int] = [:]

  mutating func add(_ count: Int, of family: String) {
    let known = counts[family] != nil || counts.count < Self.most
    counts[known ? String(family.prefix(200)) : "other", default: 0] += count
  }
}
