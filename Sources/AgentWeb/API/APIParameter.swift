internal import AgentJSON
internal import AgentHost
internal import AgentWorkers

/// A parameter of a route: a part of its path, or of the query string.
struct APIParameter: Sendable {
  enum Place: String, Sendable { case path, query }

  /// The rule for the text of a parameter.
  enum Kind: Sendable {
    case text
    /// A text without control characters. The route itself refuses others.
    case name
    case integer(ClosedRange<Int>)
    /// A switch: `?dry_run`, `?dry_run=true` or `?dry_run=false`.
    case flag
    case choice([String])
  }

  let place: Place
  let name: String
  let kind: Kind
  let summary: String

  static func path(_ name: String, _ summary: String) -> APIParameter {
    APIParameter(place: .path, name: name, kind: .text, summary: summary)
  }

  static func query(_ name: String, _ kind: Kind, summary: String) -> APIParameter {
    APIParameter(place: .query, name: name, kind: kind, summary: summary)
  }

  /// Checks a text. Throws `invalid` if the rule doesn't allow it.
  func check(_ text: String) throws(HostError) {
    switch kind {
    case .text, .name: return
    case .integer(let range):
      if let number = Int(text), range.contains(number) { return }
      let most = range.upperBound == .max ? "" : " and at most \(range.upperBound)"
      throw HostError(
        .invalid,
        "\(name) is a whole number, at least \(range.lowerBound)\(most); "
          + "found \"\(text)\".")
    case .flag:
      if ["", "true", "false", "1", "0"].contains(text) { return }
      throw HostError(.invalid, "\(name) is true or false; found \"\(text)\".")
    case .choice(let choices):
      if choices.contains(text) { return }
      throw HostError(
        .invalid, "\(name) is one of \(choices.joined(separator: ", ")); found \"\(text)\".")
    }
  }

  /// The OpenAPI description.
  var json: JSONValue {
    var object: JSONObject = [
      "name": .string(name), "in": .string(place.rawValue), "description": .string(summary),
      "required": .bool(place == .path), "schema": schema,
    ]
    if case .flag = kind { object["allowEmptyValue"] = true }
    return .object(object)
  }

  private var schema: JSONValue {
    switch kind {
    case .text:
      // Every route refuses an address with %00.
      place == .path
        ? ["type": "string", "minLength": 1] : ["type": "string", "pattern": #"^[^\u0000]*$"#]
    case .name: ["type": "string", "pattern": #"^[^\u0000-\u001f\u007f-\u009f]+$"#]
    case .flag: ["type": "boolean"]
    case .choice(let choices): ["enum": .array(choices.map { .string($0) })]
    case .integer(let range):
      range.upperBound == .max
        ? ["type": "integer", "minimum": JSONValue(range.lowerBound)]
        : [
          "type": "integer", "minimum": JSONValue(range.lowerBound),
          "maximum": JSONValue(range.upperBound),
        ]
    }
  }
}
