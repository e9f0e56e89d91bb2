internal import AgentJSON
internal import AgentModules
internal import AgentSystem
internal import JSONSchema

/// Generates values from a schema's defaults, examples, constants and bounds. It doesn't solve
/// patterns or rules that involve several members, so the caller validates the result.
struct SchemaSample {
  /// The members of an object that get a value.
  enum Extent {
    /// Only the required members.
    case required
    /// Every member that the schema names.
    case all
  }

  /// The largest depth of a schema. It stops endless references; real settings are less deep.
  private static let deepest = 12
  private let root: JSONValue
  private let extent: Extent

  init(of schema: JSONValue, _ extent: Extent) {
    root = schema
    self.extent = extent
  }

  /// The generated value.
  var value: JSONValue { value(root, 0) }

  private func value(_ schema: JSONValue, _ depth: Int) -> JSONValue {
    guard depth < Self.deepest else { return .null }
    if let reference = schema["$ref"]?.string { return value(resolve(reference), depth + 1) }
    if let given = given(schema) { return given }
    if let choices = (schema["anyOf"] ?? schema["oneOf"])?.array, let first = choices.first {
      return value(first, depth + 1)
    }
    if let parts = schema["allOf"]?.array, schema["properties"] == nil {
      return parts.reduce(.object([:])) { $0.merging(patch: value($1, depth + 1)) }
    }
    switch schema["type"]?.string ?? schema["type"]?.array?.first?.string {
    case "object": return object(schema, depth)
    case "array": return array(schema, depth)
    case "integer", "number": return number(schema)
    case "boolean": return .bool(extent == .all)
    case "null": return .null
    case "string": return .string(text(schema))
    default: return schema["properties"] == nil ? .string(text(schema)) : object(schema, depth)
    }
  }

  /// Returns a value that the schema itself contains: its constant, default, example or choice.
  private func given(_ schema: JSONValue) -> JSONValue? {
    let choices = schema["enum"]?.array
    let examples = schema["examples"]?.array
    return switch extent {
    case .required:
      schema["const"] ?? schema["default"] ?? examples?.first ?? choices?.first
    case .all:
      schema["const"] ?? examples?.last ?? choices?.last ?? schema["default"]
    }
  }

  private func object(_ schema: JSONValue, _ depth: Int) -> JSONValue {
    let properties = schema["properties"]?.object ?? [:]
    let required = schema["required"]?.array?.compactMap(\.string) ?? []
    var object = JSONObject()
    for key in extent == .all ? Array(properties.keys) : required {
      object[key] = value(properties[key] ?? true, depth + 1)
    }
    return .object(object)
  }

  private func array(_ schema: JSONValue, _ depth: Int) -> JSONValue {
    let least = max(schema["minItems"]?.int ?? 0, 0)
    // Each logic adapter has its own settings, which are checked with its declaration.
    if schema["x-logic-adapters"] != nil { return [] }
    let count = extent == .all && schema["items"] != nil ? max(least, 1) : least
    guard count > 0 else { return [] }
    return .array(
      Array(repeating: value(schema["items"] ?? true, depth + 1), count: min(count, 16)))
  }

  /// Returns the number nearest to zero that the bounds allow.
  private func number(_ schema: JSONValue) -> JSONValue {
    let isInteger = schema["type"]?.string == "integer"
    if let least = schema["minimum"], least.double ?? 0 > 0 { return least }
    if let above = schema["exclusiveMinimum"]?.double, above >= 0 {
      return isInteger && above < 1e15
        ? JSONValue(Int64(clamping: above).adding(1)) : JSONValue(floatLiteral: above + 0.5)
    }
    if let most = schema["maximum"], most.double ?? 0 < 0 { return most }
    return 0
  }

  private static let formats: [String: String] = [
    "date-time": "2026-01-01T00:00:00Z", "date": "2026-01-01", "time": "00:00:00Z",
    "duration": "PT1M", "email": "a@example.org", "hostname": "example.org",
    "ipv4": "127.0.0.1", "ipv6": "::1", "uri": "http://localhost/", "regex": "a",
    "uuid": "00000000-0000-4000-8000-000000000000",
  ]
  private static let candidates = [
    "a", "A", "1", "/", "/tmp", "a-b", "a_b", "a.b", "a/b", "A1", "1.0.0", "00:00", "12:00",
    "#ffffff", "http://localhost/", "https://localhost/", "wss://localhost/", "a@example.org",
    "127.0.0.1", "1s", "10m", "* * * * *", "XBT/USD", "en",
  ]

  private func text(_ schema: JSONValue) -> String {
    if let known = schema["format"]?.string.flatMap({ Self.formats[$0] }) { return known }
    if schema["pattern"] != nil, let compiled = try? Schema(schema) {
      if let match = Self.candidates.first(where: { compiled.isValid(.string($0)) }) {
        return match
      }
    }
    let least = min(max(schema["minLength"]?.int ?? 0, extent == .all ? 1 : 0), 4096)
    return String(repeating: "a", count: least)
  }

  private func resolve(_ reference: String) -> JSONValue {
    switch reference {
    case "agent:output": return SharedSchemas.output
    case "agent:logic_adapters": return SharedSchemas.logicAdapters
    default:
      guard reference.hasPrefix("#"), let pointer = try? JSONPointer(String(reference.dropFirst()))
      else { return true }
      return root.value(at: pointer) ?? true
    }
  }
}
