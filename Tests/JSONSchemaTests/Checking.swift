import AgentJSON
import JSONSchema

/// `path: message` of every failure, warnings marked as such.
func messages(
  _ schema: String, _ instance: String, options: SchemaOptions = SchemaOptions(),
  ignoring: ((JSONNode) -> Bool)? = nil
) throws -> [String] {
  let schema = try Schema(JSONValue(parsing: schema), options: options)
  let node = try JSONDocument(parsing: instance).root
  return schema.validate(node, ignoring: ignoring).map { failure in
    (failure.severity == .warning ? "warning: " : "")
      + (failure.instance == .root ? "" : "\(failure.instance.dotted): ") + failure.message
  }
}
