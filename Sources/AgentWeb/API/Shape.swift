internal import AgentJSON
internal import AgentRuntime
internal import JSONSchema

/// What a body is: a JSON Schema with a name, by which the OpenAPI document refers to it.
struct Shape: Sendable {
  let name: String
  /// What it is in a message: `a process`.
  let phrase: String
  let schema: JSONValue
  /// The shapes that its schema refers to.
  let uses: [Shape]
  private let compiled: Schema?

  /// - Parameters:
  ///   - name: in the OpenAPI document, such as `Process`.
  ///   - phrase: what it is in a message; needed of what is sent.
  ///   - uses: the shapes that `schema` refers to by `reference`.
  init(_ name: String, _ phrase: String = "", _ schema: JSONValue, uses: [Shape] = []) {
    self.name = name
    self.phrase = phrase.isEmpty ? "a \(name.lowercased())" : phrase
    self.schema = schema
    self.uses = uses
    compiled = phrase.isEmpty ? nil : try? Schema(schema)
  }

  /// The reference to it.
  var reference: JSONValue { ["$ref": .string("#/components/schemas/\(name)")] }

  /// Why a body is refused; shapes that are only answered refuse nothing.
  func refusal(of body: JSONDocument) -> HostError? {
    let failures = (compiled?.validate(body.root) ?? []).filter { $0.severity == .error }
    if failures.isEmpty { return nil }
    return HostError("The body isn't \(phrase)", failures, of: compiled, in: body)
  }

  /// An object with a property for each.
  static func object(
    _ name: String, as phrase: String = "", required: [String] = [],
    _ properties: JSONObject, open: Bool = false, uses: [Shape] = []
  ) -> Shape {
    var schema: JSONObject = ["type": "object"]
    if !required.isEmpty { schema["required"] = .array(required.map { .string($0) }) }
    if !open { schema["additionalProperties"] = false }
    schema["properties"] = .object(properties)
    return Shape(name, phrase, .object(schema), uses: uses)
  }

  /// The same with further keywords of JSON Schema.
  func with(_ keywords: JSONObject) -> Shape {
    guard var object = schema.object else { return self }
    for (name, value) in keywords { object[name] = value }
    return Shape(name, phrase, .object(object), uses: uses)
  }

  /// The same with members that aren't described.
  var opened: Shape {
    guard var object = schema.object else { return self }
    object["additionalProperties"] = nil
    return Shape(name, "", .object(object), uses: uses)
  }

  /// Any JSON.
  static let anything = Shape("Anything", "JSON", ["description": "Any JSON."])
  /// Any object.
  static let anyObject = Shape("Object", "an object", ["type": "object"])
}
