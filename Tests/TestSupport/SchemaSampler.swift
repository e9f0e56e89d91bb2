public import AgentJSON

/// Makes JSON texts that fit a schema but for one field, which gets a text of the test's choice.
///
/// Texts and not values, since what is tried is also what no `JSONValue` can hold.
public struct SchemaSampler {
  /// A way into a value: keys of objects; items of arrays are `[]`, members with any key are `{}`.
  public typealias Field = [String]

  static let item = "[]"
  static let anyKey = "{}"
  static let maxDepth = 7

  /// The schemas that others name, by the last part of the reference.
  private let components: JSONValue

  /// - Parameter components: `components.schemas` of an OpenAPI document, or `$defs` of a schema.
  public init(components: JSONValue) { self.components = components }

  /// Every field that a schema declares, those of nested objects too, each once.
  public func fields(of schema: JSONValue) -> [(field: Field, schema: JSONValue)] {
    var seen: Set<Field> = []
    return collect(schema, at: [], &seen)
  }

  /// A text for a schema: required members, those on the way to `field`, and `text` in its place.
  public func text(for schema: JSONValue, with text: String, at field: Field) -> String {
    sample(schema, replacement: (field[...], text), depth: 0)
  }

  /// A text for a schema with its required members alone.
  public func text(for schema: JSONValue) -> String {
    sample(schema, replacement: nil, depth: 0)
  }

  /// A text in which every declared number is at its bound.
  public func text(for schema: JSONValue, atBound bound: String) -> String {
    sample(schema, replacement: nil, bound: bound, depth: 0)
  }

  private func collect(
    _ schema: JSONValue, at field: Field, _ seen: inout Set<Field>
  ) -> [(Field, JSONValue)] {
    guard field.count < Self.maxDepth else { return [] }
    let parts = parts(schema)
    var found: [(Field, JSONValue)] = []
    if !field.isEmpty, seen.insert(field).inserted {
      found.append((field, parts.first { $0["type"] != nil || $0["enum"] != nil } ?? parts[0]))
    }
    for (key, member) in parts.flatMap(children) {
      found += collect(member, at: field + [key], &seen)
    }
    return found
  }

  func resolved(_ schema: JSONValue) -> JSONValue {
    guard let reference = schema["$ref"]?.string, let name = reference.split(separator: "/").last
    else { return schema }
    return components[String(name)] ?? [:]
  }

  /// The schema, and all that it may or must be besides.
  private func parts(_ schema: JSONValue, depth: Int = 0) -> [JSONValue] {
    let schema = resolved(schema)
    guard depth < 4 else { return [schema] }
    let lists = ["anyOf", "oneOf", "allOf"].flatMap { schema[$0]?.array ?? [] }
    let branches = ["then", "else"].compactMap { schema[$0] }
    return [schema] + (lists + branches).flatMap { parts($0, depth: depth + 1) }
  }

  /// What a schema itself says of the parts of its values.
  private func children(_ schema: JSONValue) -> [(key: String, schema: JSONValue)] {
    var found = (schema["properties"]?.object ?? [:]).map { (key: $0.key, schema: $0.value) }
    if let items = schema["items"], items.object != nil { found.append((Self.item, items)) }
    for key in ["additionalProperties", "patternProperties"] {
      guard let member = schema[key], member.object != nil else { continue }
      // Any pattern stands for all of them.
      let patterns = (member.object ?? [:]).map(\.value)
      let value = key == "patternProperties" ? patterns.first ?? [:] : member
      found.append((Self.anyKey, value))
    }
    return found
  }

  private func declares(_ key: String, _ schema: JSONValue) -> Bool {
    parts(schema).contains { children($0).contains { $0.key == key } }
  }

  /// Whether an alternative asks for a member that the schema around it declares.
  private func requires(_ key: String, _ schema: JSONValue) -> Bool {
    resolved(schema)["required"]?.array?.contains(.string(key)) ?? false
  }

  /// The schema with one of its alternatives, and with those conditions that declare `next`.
  private func shape(_ schema: JSONValue, next: String?, depth: Int = 0) -> JSONValue {
    let base = resolved(schema)
    guard depth < 4 else { return base }
    var shape = base
    func take(_ part: JSONValue) {
      shape = Self.merged(shape, self.shape(part, next: next, depth: depth + 1))
    }
    let choices = base["anyOf"]?.array ?? base["oneOf"]?.array ?? []
    let matching = choices.first { choice in
      next.map { declares($0, choice) || requires($0, choice) } ?? true
    }
    if let choice = matching ?? choices.first { take(choice) }
    for part in base["allOf"]?.array ?? [] where part["if"] == nil { take(part) }
    for part in [base] + (base["allOf"]?.array ?? []) {
      guard let next, let condition = part["if"] else { continue }
      if let branch = part["then"], declares(next, branch) {
        // What the condition asks for comes first: an object has one schema for a key.
        shape = Self.merged(condition, shape)
        shape = Self.merged(shape, ["required": condition["properties"].map(Self.keys) ?? []])
        take(branch)
        break
      }
      if let branch = part["else"], declares(next, branch) { take(branch) }
    }
    return shape
  }

  private static func keys(_ properties: JSONValue) -> JSONValue {
    .array((properties.object ?? [:]).map { .string($0.key) })
  }

  /// Both, where the first wins but for the lists of members.
  private static func merged(_ first: JSONValue, _ second: JSONValue) -> JSONValue {
    var object = first.object ?? [:]
    for (key, value) in second.object ?? [:] {
      switch key {
      case "properties":
        var members = object[key]?.object ?? [:]
        for (name, member) in value.object ?? [:] where members[name] == nil {
          members[name] = member
        }
        object[key] = .object(members)
      case "required":
        object[key] = .array((object[key]?.array ?? []) + (value.array ?? []))
      default: if object[key] == nil { object[key] = value }
      }
    }
    return .object(object)
  }

  private func sample(
    _ schema: JSONValue, replacement: (field: ArraySlice<String>, text: String)?,
    bound: String? = nil, depth: Int
  ) -> String {
    if let replacement, replacement.field.isEmpty { return replacement.text }
    guard depth < 12 else { return "null" }
    let next = replacement?.field.first
    let option = shape(schema, next: next)
    if next == nil, let value = option["const"] ?? option["enum"]?.array?.first {
      return value.text()
    }
    switch next == Self.item ? "array" : next != nil ? "object" : type(of: option) {
    case "object":
      return object(option, replacement: replacement, bound: bound, depth: depth)
    case "array":
      guard let items = option["items"] else { return "[]" }
      let least = option["minItems"]?.int ?? (next == nil && bound == nil ? 0 : 1)
      guard least > 0 || next != nil else { return "[]" }
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
    let isNext = replacement?.field.first == Self.anyKey
    if bound != nil || isNext,
      let member = children(schema).first(where: { $0.key == Self.anyKey })?.schema
    {
      let rest = isNext ? replacement.map { ($0.field.dropFirst(), $0.text) } : nil
      members.append("\"any\":\(sample(member, replacement: rest, bound: bound, depth: depth + 1))")
    }
    return "{\(members.joined(separator: ","))}"
  }

  private func type(of schema: JSONValue) -> String {
    if let name = schema["type"]?.string ?? schema["type"]?.array?.first?.string { return name }
    if schema["properties"] != nil || children(schema).contains(where: { $0.key == Self.anyKey }) {
      return "object"
    }
    return schema["items"] != nil ? "array" : "string"
  }
}
