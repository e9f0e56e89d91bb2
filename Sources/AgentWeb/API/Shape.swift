internal import AgentJSON
internal import AgentHost
internal import AgentWorkers
internal import JSONSchema

/// A JSON Schema with a name, by which the OpenAPI document refers to it.
///
/// A request body is checked by the schema as the document has it, including the shapes that it
/// refers to. A schema that doesn't compile refuses every body, and the API isn't served at all
/// (``Shape/fault``), because a check must not be skipped.
struct Shape: Sendable {
  let name: String
  /// The phrase for the body in messages, such as `a process`.
  let phrase: String
  let schema: JSONValue
  /// The shapes that its schema refers to.
  let uses: [Shape]
  private let check: Check

  private enum Check: Sendable {
    /// Nothing of this shape is sent.
    case none
    case by(Schema)
    case impossible(String)
  }

  /// - Parameters:
  ///   - name: in the OpenAPI document, such as `Process`.
  ///   - phrase: what it is in a message; needed of what is sent.
  ///   - uses: the shapes that `schema` refers to by `reference`.
  init(_ name: String, _ phrase: String = "", _ schema: JSONValue, uses: [Shape] = []) {
    self.name = name
    self.phrase = phrase.isEmpty ? "a \(name.lowercased())" : phrase
    self.schema = schema
    self.uses = uses
    check = phrase.isEmpty ? .none : Self.check(schema, uses)
  }

  private static func check(_ schema: JSONValue, _ uses: [Shape]) -> Check {
    guard var document = schema.object else { return .impossible("It isn't an object.") }
    var others: JSONObject = [:]
    func add(_ shape: Shape) {
      guard others[shape.name] == nil else { return }
      others[shape.name] = shape.schema
      shape.uses.forEach(add)
    }
    uses.forEach(add)
    if !others.isEmpty { document["components"] = ["schemas": .object(others)] }
    do {
      return .by(try Schema(.object(document)))
    } catch {
      return .impossible("\(error)")
    }
  }

  /// Why it can't check what is sent; nil where it can, or nothing is sent.
  var fault: String? {
    guard case .impossible(let why) = check else { return nil }
    return "The shape \(name) of the API doesn't compile: \(why)"
  }

  /// Whether something of this shape is sent, so that it is checked.
  var isSent: Bool {
    if case .none = check { false } else { true }
  }

  /// The reference to it.
  var reference: JSONValue { ["$ref": .string("#/components/schemas/\(name)")] }

  /// Why a body is refused; shapes that are only answered refuse nothing.
  func refusal(of body: JSONDocument) -> HostError? {
    switch check {
    case .none: return nil
    case .impossible: return HostError(.failed, fault ?? "")
    case .by(let schema):
      let failures = schema.validate(body.root).filter { $0.severity == .error }
      if failures.isEmpty { return nil }
      return HostError("The body isn't \(phrase)", failures, of: schema, in: body)
    }
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
    return Shape(name, isSent ? phrase : "", .object(object), uses: uses)
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
