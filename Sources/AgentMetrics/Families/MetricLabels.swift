/// One label of a series: what it says of it.
public struct MetricLabel: Sendable, Hashable {
  /// The label's name.
  public let name: String
  /// The label's value in this series.
  public let value: String
}

/// The labels of one series, in the order of their names.
///
/// Values must come from a set that doesn't grow with use: names of processes and modules, kinds of
/// outcome; never an identity, an address or a text that somebody typed.
public struct MetricLabels: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  /// The labels, ordered by name.
  public let pairs: [MetricLabel]

  /// The labels `pairs`, in any order.
  public init(_ pairs: some Sequence<(String, String)>) {
    self.pairs = pairs.map { MetricLabel(name: $0, value: $1) }.sorted { $0.name < $1.name }
  }

  /// The labels as written.
  public init(dictionaryLiteral elements: (String, String)...) { self.init(elements) }

  /// The value of the label `name`.
  public subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }
}
