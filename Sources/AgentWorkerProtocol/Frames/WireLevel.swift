/// The level of a log record. The numbers are those of `agent_level`.
public enum WireLevel: UInt32, Sendable, CaseIterable {
  case trace = 0
  case debug = 1
  case info = 2
  case notice = 3
  case warning = 4
  case error = 5
  case critical = 6

  /// The name on the wire.
  public var name: String { "\(self)" }

  /// Returns the level with this name.
  public init?(name: String) {
    guard let level = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = level
  }
}
