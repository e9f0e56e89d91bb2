/// Schemas of this folder that a host checks with, each as the bytes of its file.
public enum SDKSchemas {
  /// What `module.json` may hold.
  public static var module: [UInt8] { PackageResources.module_schema_json }
  /// What `settings.json` may hold, without what modules add.
  public static var settings: [UInt8] { PackageResources.settings_schema_json }
  /// The `output` object in settings of a module.
  public static var output: [UInt8] { PackageResources.output_schema_json }
  /// A list of logic adapters in settings of a module.
  public static var logicAdapters: [UInt8] { PackageResources.logic_adapters_schema_json }

  /// What an action responds with.
  public static var actionOutput: [UInt8] { PackageResources.action_output_json }
  /// What a logic adapter responds with.
  public static var logicAdapterOutput: [UInt8] { PackageResources.logic_adapter_output_json }
  /// What a notifier responds with.
  public static var notifierOutput: [UInt8] { PackageResources.notifier_output_json }
  /// What a route responds with.
  public static var routeOutput: [UInt8] { PackageResources.route_output_json }
  /// What a strategy responds with.
  public static var strategyOutput: [UInt8] { PackageResources.strategy_output_json }
}
