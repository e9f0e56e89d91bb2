/// The reason why a metric or a series is refused.
public struct MetricError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kinds of refusal.
  public enum Code: String, Sendable {
    /// The name, a label or a bucket breaks a rule of Prometheus or a limit of its length.
    case invalid
    /// A family of another kind has this name, or one of the two names is part of the other.
    case conflict
    /// The registry has reached its limit of families or of series.
    case limit
  }

  /// The kind of refusal.
  public let code: Code
  /// A sentence for the person who must act.
  public let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The same as ``message``.
  public var description: String { message }
}
