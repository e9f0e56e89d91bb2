/// The kind of a contribution on the wire. The numbers are those of `agent_kind`.
public enum WireKind: UInt32, Sendable, CaseIterable {
  case datasource = 1
  case monitor = 2
  case logicAdapter = 3
  case action = 4
  case notifier = 5
  case strategy = 6
  case route = 7

  /// The name on the wire, such as `logic_adapter`.
  public var name: String {
    self == .logicAdapter ? "logic_adapter" : "\(self)"
  }

  /// Returns the kind with this name.
  public init?(name: String) {
    guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = kind
  }
}
