internal import AgentJSON
internal import AgentRuntime
internal import HTTPTypes
internal import Hummingbird
internal import JSONSchema

/// What the body of a request must be, and what is said when it isn't.
struct RequestSchema: Sendable {
  private let schema: Schema?
  private let phrase: String

  /// - Parameter phrase: what the body is: `a process`.
  private init(_ phrase: String, _ schema: JSONValue) {
    self.phrase = phrase
    self.schema = try? Schema(schema)
  }

  /// A process to add.
  static let process = RequestSchema(
    "a process",
    [
      "type": "object", "required": ["name", "type"], "additionalProperties": false,
      "properties": [
        "name": ["type": "string", "minLength": 1, "description": "what to call it"],
        "type": [
          "type": "string", "minLength": 1, "description": "a process of an enabled module",
        ],
      ],
    ])

  /// A question to the logic adapters.
  static let message = RequestSchema(
    "a message",
    [
      "type": "object", "required": ["text"],
      "properties": [
        "text": ["type": "string", "minLength": 1, "description": "what is asked"],
        "author": ["type": "string"], "room": ["type": "string"],
      ],
    ])

  /// An event, or a list of events.
  static let events = RequestSchema(
    "an event, or a list of events",
    ["anyOf": [["type": "object"], ["type": "array", "items": ["type": "object"]]]])

  /// The body of a request, if it fits.
  func body(of request: Request) async throws -> JSONValue {
    let document = try await request.document()
    let failures = schema?.validate(document.root) ?? []
    if failures.contains(where: { $0.severity == .error }) {
      throw HostError("The body isn't \(phrase)", failures, in: document)
    }
    return document.root.value
  }
}
