/// What one series said at one moment.
public enum MetricValue: Sendable, Hashable {
  /// A counter's or a gauge's value.
  case number(Double)
  /// A histogram's.
  case histogram(HistogramSnapshot)
}

/// One series of a family, at one moment.
public struct MetricSample: Sendable, Hashable {
  /// The labels that distinguish it from the family's others.
  public let labels: MetricLabels
  /// What it said.
  public let value: MetricValue
}

/// All series of one name, at one moment.
public struct MetricFamily: Sendable {
  /// The name; a counter's ends with `_total`.
  public let name: String
  /// The kind of its values.
  public let kind: MetricKind
  /// What it says, for people.
  public let help: String
  /// The series, each with other labels.
  public internal(set) var samples: [MetricSample] = []
  var known: Set<MetricLabels> = []

  init(name: String, kind: MetricKind, help: String) {
    self.name = name
    self.kind = kind
    self.help = help
  }
}
