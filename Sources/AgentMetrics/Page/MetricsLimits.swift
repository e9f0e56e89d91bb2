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
