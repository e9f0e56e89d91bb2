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
  /// Chooses who gets a task.
  case strategy
  /// Answers requests to the agent's HTTP port.
  case route

  /// Whether settings configure it under `processes`, with a worker of its own.
  public var isProcess: Bool { self == .datasource || self == .monitor }

  /// The manifest's member that holds contributions of this kind.
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

  /// For sentences: `logic adapter`.
  public var noun: String { self == .logicAdapter ? "logic adapter" : rawValue }

  /// With its article, for sentences: `a datasource`.
  public var phrase: String { (self == .action ? "an " : "a ") + noun }
}
