public import AgentJSON

/// Makes JSON texts that fit a schema but for one field, which gets a text of the test's choice.
///
/// Texts and not values, since what is tried is also what no `JSONValue` can hold.
public struct SchemaSampler {
  /// A way into a value: keys of objects; items of arrays are `[]`, members with any key are `{}`.
  public typealias Field = [String]

  static let item = "[]"
  static let anyKey = "{}"
  private static let maxDepth = 7

  /// The schemas that others name, by the last part of the reference.
  private let components: JSONValue

  /// - Parameter components: `components.schemas` of an OpenAPI document, or `$defs` of a schema.
  public init(components: JSONValue) { self.components = components }

  /// Every field that a schema declares, those of nested objects too.
  public func fields(of schema: JSONValue) -> [(field: Field, schema: JSONValue)] {
    collect(schema, at: [])
  }

  /// A text for a schema: required members, those on the way to `field`, and `text` in its place.
  public func text(for schema: JSONValue, with text: String, at field: Field) -> String {
    sample(schema, replacement: (field[...], text), depth: 0)
  }

  /// A text in which every declared number is at its bound.
  public func text(for schema: JSONValue, atBound bound: String) -> String {
    sample(schema, replacement: nil, bound: bound, depth: 0)
  }

  private func collect(_ schema: JSONValue, at field: Field) -> [(Field, JSONValue)] {
    guard field.count < Self.maxDepth else { return [] }
    var found: [(Field, JSONValue)] = field.isEmpty ? [] : [(field, options(schema)[0])]
    for option in options(schema) {
      for (key, member) in option["properties"]?.object ?? [:] {
        found += collect(member, at: field + [key])
      }
      if let items = option["items"] { found += collect(items, at: field + [Self.item]) }
      if let member = option["additionalProperties"], member.object != nil {
        found += collect(member, at: field + [Self.anyKey])
      }
    }
    return found
  }

  private func resolved(_ schema: JSONValue) -> JSONValue {
    guard let reference = schema["$ref"]?.string, let name = reference.split(separator: "/").last
    else { return schema }
    return components[String(name)] ?? [:]
  }

  /// The schema, or what it may be one of.
  private func options(_ schema: JSONValue) -> [JSONValue] {
    let schema = resolved(schema)
    let choices = [schema["then"], schema["else"]].compactMap { $0 }
    let alternatives = schema["anyOf"]?.array ?? schema["oneOf"]?.array ?? choices
    return alternatives.isEmpty ? [schema] : alternatives.map(resolved)
  }

  private func sample(
    _ schema: JSONValue, replacement: (field: ArraySlice<String>, text: String)?,
    bound: String? = nil, depth: Int
  ) -> String {
    if let replacement, replacement.field.isEmpty { return replacement.text }
    guard depth < 12 else { return "null" }
    let next = replacement?.field.first
    let option =
      options(schema).first { option in
        guard let next else { return true }
        switch next {
        case Self.item: return option["items"] != nil
        case Self.anyKey: return option["additionalProperties"]?.object != nil
        default: return option["properties"]?[next] != nil
        }
      } ?? resolved(schema)
    if let value = option["const"] ?? option["enum"]?.array?.first { return value.text() }
    switch type(of: option) {
    case "object":
      return object(option, replacement: replacement, bound: bound, depth: depth)
    case "array":
      guard let items = option["items"] else { return "[]" }
      let least = option["minItems"]?.int ?? (next == nil && bound == nil ? 0 : 1)
      guard least > 0 else { return "[]" }
      let rest = replacement.map { ($0.field.dropFirst(), $0.text) }
      return "[\(sample(items, replacement: rest, bound: bound, depth: depth + 1))]"
    case "integer", "number":
      if let bound, let value = option[bound] { return value.text() }
      return (option["minimum"] ?? 1).text()
    case "boolean": return "true"
    default:
      if let example = option["examples"]?.array?.first ?? option["default"] {
        return example.text()
      }
      let count = max(1, option["minLength"]?.int ?? 1)
      return "\"\(String(repeating: "x", count: min(count, 1000)))\""
    }
  }

  private func object(
    _ schema: JSONValue, replacement: (field: ArraySlice<String>, text: String)?,
    bound: String?, depth: Int
  ) -> String {
    let required = schema["required"]?.array?.compactMap(\.string) ?? []
    var members: [String] = []
    for (key, member) in schema["properties"]?.object ?? [:] {
      let isNext = key == replacement?.field.first
      guard isNext || required.contains(key) || bound != nil else { continue }
      let rest = isNext ? replacement.map { ($0.field.dropFirst(), $0.text) } : nil
      let text = sample(member, replacement: rest, bound: bound, depth: depth + 1)
      members.append("\(JSONValue.string(key).text()):\(text)")
    }
    if let member = schema["additionalProperties"], member.object != nil,
      bound != nil || replacement?.field.first == Self.anyKey
    {
      let rest = replacement.map { ($0.field.dropFirst(), $0.text) }
      members.append("\"any\":\(sample(member, replacement: rest, bound: bound, depth: depth + 1))")
    }
    return "{\(members.joined(separator: ","))}"
  }

  private func type(of schema: JSONValue) -> String {
    if let name = schema["type"]?.string ?? schema["type"]?.array?.first?.string { return name }
    if schema["properties"] != nil || schema["additionalProperties"]?.object != nil {
      return "object"
    }
    return schema["items"] != nil ? "array" : "string"
  }
}
