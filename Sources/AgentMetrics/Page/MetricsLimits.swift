/// How much a registry keeps. What is beyond isn't kept but counted, so that a label that turns out
/// to have many values costs neither memory nor the scrape.
public struct MetricsLimits: Sendable {
  /// How many families.
  public var families = 2000
  /// How many combinations of labels each family has.
  public var series = 1000

  /// The usual limits.
  public init(families: Int = 2000, series: Int = 1000) {
    self.families = families
    self.series = series
  }
}
