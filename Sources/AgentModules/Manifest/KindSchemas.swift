public import AgentJSON

/// The schemas of what contributions of a kind answer, as the SDK ships them.
public enum KindSchemas {
  /// The schema of the output of a kind; nil for processes, which aren't called.
  public static func output(of kind: ContributionKind) -> JSONValue? {
    switch kind {
    case .datasource, .monitor: nil
    case .logicAdapter: SharedSchemas.parse(PackageResources.logic_adapter_output_json)
    case .action: SharedSchemas.parse(PackageResources.action_output_json)
    case .notifier: SharedSchemas.parse(PackageResources.notifier_output_json)
    case .strategy: SharedSchemas.parse(PackageResources.strategy_output_json)
    case .route: SharedSchemas.parse(PackageResources.route_output_json)
    }
  }
}
