public import AgentJSON
import AgentSchemas
public import JSONSchema

/// The schemas of this host, by the names that other schemas use for them.
public enum SharedSchemas {
  /// The schema of `module.json`.
  public static let module = parse(SDKSchemas.module)
  /// The schema of the `output` object: `{"$ref": "agent:output"}`.
  public static let output = parse(SDKSchemas.output)
  /// The schema of a list of logic adapters: `{"$ref": "agent:logic_adapters"}`.
  public static let logicAdapters = parse(SDKSchemas.logicAdapters)

  /// The schemas that a module's schemas may refer to.
  public static let registry: SchemaRegistry = {
    var registry = SchemaRegistry()
    registry.register("agent:output", output)
    registry.register("agent:logic_adapters", logicAdapters)
    return registry
  }()

  /// Parses an embedded file. The files are part of this program and a test parses them, so an
  /// error can't occur here.
  package static func parse(_ bytes: [UInt8]) -> JSONValue {
    (try? JSONDocument(parsing: bytes))?.root.value ?? .bool(false)
  }

  /// Compiles a schema of the host, which is valid for the same reason. If it didn't compile, the
  /// result would accept no value, so that unchecked values are refused.
  package static func compile(_ schema: JSONValue) -> Schema? {
    (try? Schema(schema, registry: registry)) ?? (try? Schema(false))
  }
}

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
