import AgentJSON
import TestSupport

/// Writes documents at random that a schema has something to say about, in any layout: with spaces,
/// escapes, and numbers written in more than one way.
struct DocumentGenerator {
  private var values: SchemaGenerator
  private let root: JSONValue

  init(seed: UInt64, for schema: JSONValue) {
    values = SchemaGenerator(seed: seed)
    root = schema
  }

  mutating func text() -> String {
    write(value(for: root, 4))
  }

  // MARK: Values

  private mutating func value(for schema: JSONValue, _ depth: Int) -> JSONValue {
    guard depth > 0, values.dice.percent(85), case .object(let keywords) = schema else {
      return values.value(min(max(depth, 0), 2))
    }
    if let target = keywords["$ref"]?.string, values.dice.percent(60) {
      return value(for: resolve(target), depth - 1)
    }
    for name in ["anyOf", "oneOf", "allOf"] where values.dice.percent(50) {
      guard let branches = keywords[name]?.array else { continue }
      return value(for: values.dice.pick(branches, else: true), depth - 1)
    }
    if let constant = keywords["const"], values.dice.percent(80) { return constant }
    if let list = keywords["enum"]?.array, values.dice.percent(80) {
      return values.dice.pick(list, else: .null)
    }
    return container(keywords, depth) ?? values.value(1)
  }

  private func resolve(_ target: String) -> JSONValue {
    guard target.contains("d"), let last = target.last else { return root }
    return root["$defs"]?["d\(last)"] ?? true
  }

  private mutating func container(_ keywords: JSONObject, _ depth: Int) -> JSONValue? {
    let aboutObjects = [
      "properties", "required", "additionalProperties", "patternProperties", "propertyNames",
      "dependentRequired", "dependentSchemas", "unevaluatedProperties",
    ]
    if aboutObjects.contains(where: { keywords[$0] != nil }) || keywords["type"] == "object" {
      return object(keywords, depth)
    }
    let aboutArrays = ["items", "prefixItems", "contains", "uniqueItems", "unevaluatedItems"]
    guard aboutArrays.contains(where: { keywords[$0] != nil }) || keywords["type"] == "array"
    else { return nil }
    let item = keywords["items"] ?? keywords["contains"] ?? true
    if let list = item.array { return .array(list.map { value(for: $0, depth - 1) }) }
    let length = values.dice.percent(10) ? 20 : 4
    return .array((0..<values.dice.below(length)).map { _ in value(for: item, depth - 1) })
  }

  private mutating func object(_ keywords: JSONObject, _ depth: Int) -> JSONValue {
    var members: JSONObject = [:]
    for (key, schema) in keywords["properties"]?.object ?? [:] where values.dice.percent(75) {
      members[key] = value(for: schema, depth - 1)
    }
    for key in keywords["required"]?.array ?? [] where values.dice.percent(85) {
      if let key = key.string, members[key] == nil { members[key] = values.value() }
    }
    if values.dice.percent(35) { members[values.key()] = values.value() }
    return .object(members)
  }

  // MARK: Text

  private mutating func write(_ value: JSONValue) -> String {
    switch value {
    case .string(let text): quoted(text)
    case .number(let number): self.number(number)
    case .array(let elements):
      "[" + elements.map { space() + write($0) }.joined(separator: ",") + space() + "]"
    case .object(let members):
      "{"
        + members.map { space() + quoted($0) + space() + ":" + space() + write($1) }
        .joined(separator: ",") + "}"
    default: value.text()
    }
  }

  private mutating func space() -> String {
    values.dice.percent(10) ? "\n " : ""
  }

  private mutating func number(_ number: JSONNumber) -> String {
    let text = number.text
    guard values.dice.percent(20), !text.utf8.contains(UInt8(ascii: "e")) else { return text }
    let isFraction = text.utf8.contains(UInt8(ascii: "."))
    return values.dice.pick(
      [text + "e0", text + "E+00", text + (isFraction ? "0" : ".0"), text], else: text)
  }

  private mutating func quoted(_ text: String) -> String {
    guard values.dice.percent(15) else { return JSONValue.string(text).text() }
    return "\""
      + text.utf16.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined() + "\""
  }
}
