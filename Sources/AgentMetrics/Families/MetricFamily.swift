/// The kind of the values of a family.
public enum MetricKind: String, Sendable, Hashable {
  /// A sum that only grows. It starts at 0 with the host.
  case counter
  /// A value that goes up and down.
  case gauge
  /// The number of values in each of several ranges, the number of all values, and their sum.
  case histogram
}

/// The value of one series at one moment.
public enum MetricValue: Sendable, Hashable {
  /// The value of a counter or of a gauge.
  case number(Double)
  /// The counts of a histogram.
  case histogram(HistogramSnapshot)
}

/// One series of a family, at one moment.
public struct MetricSample: Sendable, Hashable {
  /// The labels that distinguish this series from the others of its family.
  public let labels: MetricLabels
  /// The value of the series.
  public let value: MetricValue
}

/// All series of one name, at one moment.
public struct MetricFamily: Sendable {
  /// The name. The name of a counter ends with `_total`.
  public let name: String
  /// The kind of the values.
  public let kind: MetricKind
  /// A description of the metric for people.
  public let help: String
  /// The series. No two have the same labels.
  public internal(set) var samples: [MetricSample] = []
  /// The labels of ``samples``, so that a second series with the same labels is found without a
  /// search.
  var known: Set<MetricLabels> = []

  init(name: String, kind: MetricKind, help: String) {
    self.name = name
    self.kind = kind
    self.help = help
  }
}
