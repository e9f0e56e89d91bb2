/// One label of a series.
public struct MetricLabel: Sendable, Hashable {
  /// The label's name.
  public let name: String
  /// The label's value in this series.
  public let value: String
}

/// The labels of one series, ordered by name.
///
/// The number of different values must not grow with use. Use names of processes and modules and
/// kinds of outcomes. Don't use identifiers, addresses or text that a person typed.
public struct MetricLabels: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  /// The labels, ordered by name.
  public let pairs: [MetricLabel]

  /// Creates labels from `pairs`, which may come in any order.
  public init(_ pairs: some Sequence<(String, String)>) {
    self.pairs = pairs.map { MetricLabel(name: $0, value: $1) }.sorted { $0.name < $1.name }
  }

  /// Creates labels from a dictionary literal.
  public init(dictionaryLiteral elements: (String, String)...) { self.init(elements) }

  /// Returns the value of the label `name`, or `nil` if there is no such label.
  public subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }
}
