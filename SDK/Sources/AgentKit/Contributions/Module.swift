internal import CAgentModule

/// A module: its name, its version, and its contributions.
///
/// ```swift
/// let module = Module("trades", version: "0.1.0") {
///   KrakenFX.self
///   TradeFrequency.self
/// }
///
/// @_cdecl("agent_module_v1")
/// public func agentModule() -> UnsafeRawPointer? { module.descriptor }
/// ```
///
/// Name, version and contributions must match `module.json`: the host compares them.
public struct Module: Sendable {
  /// The name in `module.json`.
  public let name: String
  /// The version in `module.json`.
  public let version: String

  /// The return value of `agent_module_v1`: an `agent_module_descriptor_v1` that lives as long as
  /// the process.
  ///
  /// Rationale: it points to memory that is written once, here, and only read afterwards.
  public nonisolated(unsafe) let descriptor: UnsafeRawPointer?

  /// Describes a module. Make one only, in a global `let`.
  public init(
    _ name: String, version: String,
    @ContributionList contributions: () -> [ContributionType]
  ) {
    self.name = name
    self.version = version
    self.descriptor = makeDescriptor(name: name, version: version, contributions())
  }
}

/// Lists a module's contributions by their types.
@resultBuilder
public enum ContributionList {
  /// A datasource.
  public static func buildExpression<T: Datasource>(_ type: T.Type) -> ContributionType {
    .datasource(type)
  }

  /// A monitor.
  public static func buildExpression<T: Monitor>(_ type: T.Type) -> ContributionType {
    .monitor(type)
  }

  /// A logic adapter.
  public static func buildExpression<T: LogicAdapter>(_ type: T.Type) -> ContributionType {
    .logicAdapter(type)
  }

  /// An action.
  public static func buildExpression<T: Action>(_ type: T.Type) -> ContributionType {
    .action(type)
  }

  /// A notifier.
  public static func buildExpression<T: Notifier>(_ type: T.Type) -> ContributionType {
    .notifier(type)
  }

  /// A strategy.
  public static func buildExpression<T: Strategy>(_ type: T.Type) -> ContributionType {
    .strategy(type)
  }

  /// A route.
  public static func buildExpression<T: Route>(_ type: T.Type) -> ContributionType {
    .route(type)
  }

  /// A contribution whose kind is given explicitly.
  public static func buildExpression(_ contribution: ContributionType) -> ContributionType {
    contribution
  }

  /// Collects all contributions.
  public static func buildBlock(_ contributions: ContributionType...) -> [ContributionType] {
    contributions
  }
}
