public import AgentJSON
import AgentSchemas
public import JSONSchema

/// The schemas that this host ships, by the names under which others refer to them.
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

  /// The embedded files are part of this program and a test parses them: there is no other outcome.
  package static func parse(_ bytes: [UInt8]) -> JSONValue {
    (try? JSONDocument(parsing: bytes))?.root.value ?? .bool(false)
  }

  /// Compiles one of the host's own schemas; the same reasoning. One that doesn't compile takes
  /// nothing: what can't be checked is refused.
  package static func compile(_ schema: JSONValue) -> Schema? {
    (try? Schema(schema, registry: registry)) ?? (try? Schema(false))
  }
}
