/// The kind of the values of a family.
public enum MetricKind: String, Sendable, Hashable {
  /// A sum that only grows. It starts at 0 with the host.
  case counter
  /// A value that goes up and down.
  case gauge
  /// The number of values in each of several ranges, the number of all values, and their sum.
  case histogram
}
