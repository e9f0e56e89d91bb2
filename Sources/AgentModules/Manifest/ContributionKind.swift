/// The kinds of contributions that a module can declare.
public enum ContributionKind: String, Sendable, Hashable, CaseIterable {
  /// A process that produces events.
  case datasource
  /// A process that reacts to the results of queries over events.
  case monitor
  /// Answers chat messages.
  case logicAdapter = "logic_adapter"
  /// Executes tasks.
  case action
  /// Delivers a notification.
  case notifier
  /// Chooses the bot for a task.
  case strategy
  /// Answers requests to the agent's HTTP port.
  case route

  /// Whether it is configured under `processes` and has a worker of its own.
  public var isProcess: Bool { self == .datasource || self == .monitor }

  /// The manifest's member with the contributions of this kind.
  public var manifestKey: String {
    switch self {
    case .datasource, .monitor: "processes"
    case .logicAdapter: "logic_adapters"
    case .action: "actions"
    case .notifier: "notifiers"
    case .strategy: "strategies"
    case .route: "routes"
    }
  }

  /// The kinds that are configured under `modules.NAME`, in the manifest's order.
  public static let services: [ContributionKind] = [
    .logicAdapter, .action, .notifier, .strategy, .route,
  ]

  /// The kinds that are configured under `processes`.
  public static let processes: Set<ContributionKind> = [.datasource, .monitor]

  /// The kind in a sentence: `logic adapter`.
  public var noun: String { self == .logicAdapter ? "logic adapter" : rawValue }

  /// The kind with its article: `a datasource`.
  public var phrase: String { (self == .action ? "an " : "a ") + noun }
}
