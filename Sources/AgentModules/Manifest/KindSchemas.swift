public import AgentJSON
import AgentSchemas

/// The schemas for the outputs of each kind, from the SDK.
public enum KindSchemas {
  /// Returns the schema of a kind's output. Returns `nil` for processes, which have no output.
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
