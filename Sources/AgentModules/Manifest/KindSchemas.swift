public import AgentJSON
import AgentSchemas

/// The schemas of what contributions of a kind answer, as the SDK ships them.
public enum KindSchemas {
  /// The schema of the output of a kind; nil for processes, which aren't called.
  public static func output(of kind: ContributionKind) -> JSONValue? {
    switch kind {
    case .datasource, .monitor: nil
    case .logicAdapter: SharedSchemas.parse(SDKSchemas.logicAdapterOutput)
    case .action: SharedSchemas.parse(SDKSchemas.actionOutput)
    case .notifier: SharedSchemas.parse(SDKSchemas.notifierOutput)
    case .strategy: SharedSchemas.parse(SDKSchemas.strategyOutput)
    case .route: SharedSchemas.parse(SDKSchemas.routeOutput)
    }
  }
}
