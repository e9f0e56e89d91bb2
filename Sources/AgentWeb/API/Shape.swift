internal import AgentJSON
internal import AgentHost
internal import AgentWorkers
internal import JSONSchema

/// A named JSON Schema. The OpenAPI document refers to it by its name.
///
/// A request body is checked by the same schema that the document shows, including the shapes that
/// it refers to. If the schema doesn't compile, it refuses every body and the API isn't served
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
    /// Clients never send this shape.
    case none
    case by(Schema)
    case impossible(String)
  }

  /// - Parameters:
  ///   - name: the name in the OpenAPI document, such as `Process`.
  ///   - phrase: the name in messages. A shape that clients send needs one.
  ///   - uses: the shapes that `schema` refers to by `reference`.
  init(_ name: String, phrase: String = "", schema: JSONValue, uses: [Shape] = []) {
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

  /// Why the schema can't check a body. Nil means that it can, or that clients never send this
  /// shape.
  var fault: String? {
    guard case .impossible(let why) = check else { return nil }
    return "The shape \(name) of the API doesn't compile: \(why)"
  }

  /// Whether clients send this shape, so that it is checked.
  var isSent: Bool {
    if case .none = check { false } else { true }
  }

  /// The reference to this shape.
  var reference: JSONValue { ["$ref": .string("#/components/schemas/\(name)")] }

  /// Returns why a body is refused, or nil. A shape that clients never send refuses nothing.
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

  /// Returns the shape of an object with these properties.
  static func object(
    _ name: String, as phrase: String = "", required: [String] = [],
    _ properties: JSONObject, open: Bool = false, uses: [Shape] = []
  ) -> Shape {
    var schema: JSONObject = ["type": "object"]
    if !required.isEmpty { schema["required"] = .array(required.map { .string($0) }) }
    if !open { schema["additionalProperties"] = false }
    schema["properties"] = .object(properties)
    return Shape(name, phrase: phrase, schema: .object(schema), uses: uses)
  }

  /// Returns the shape with further keywords of JSON Schema.
  func with(_ keywords: JSONObject) -> Shape {
    guard var object = schema.object else { return self }
    for (name, value) in keywords { object[name] = value }
    return Shape(name, phrase: isSent ? phrase : "", schema: .object(object), uses: uses)
  }

  /// Returns the shape with further members allowed.
  var opened: Shape {
    guard var object = schema.object else { return self }
    object["additionalProperties"] = nil
    return Shape(name, phrase: "", schema: .object(object), uses: uses)
  }

  /// Any JSON.
  static let anything = Shape("Anything", phrase: "JSON", schema: ["description": "Any JSON."])
  /// Any object.
  static let anyObject = Shape("Object", phrase: "an object", schema: ["type": "object"])
}
