/// What kind of value a family holds.
public enum MetricKind: String, Sendable, Hashable {
  /// A sum that only grows; it starts at 0 with the host.
  case counter
  /// A value that goes up and down.
  case gauge
  /// How often values fell into each of some ranges, their number and their sum.
  case histogram
}
