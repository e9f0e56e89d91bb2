/// Why a metric isn't kept.
public struct MetricError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of obstacle.
  public enum Code: String, Sendable {
    /// The name, a label or a bucket isn't as Prometheus asks for it.
    case invalid
    /// The name is taken by a family that differs.
    case conflict
    /// There are as many already as are kept.
    case limit
  }

  /// The kind of obstacle.
  public let code: Code
  /// A sentence for the person who must act.
  public let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The sentence.
  public var description: String { message }
}
