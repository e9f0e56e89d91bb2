internal import AgentAccess
internal import AgentJSON
internal import Hummingbird
internal import HummingbirdCore

/// A request that has passed all checks, for the route that answers it.
struct APICall: Sendable {
  let request: Request
  let principal: Principal
  /// The origin: an address, or `unix`.
  let address: String
  /// The request's id, as the answer and the logs give it.
  let id: String
  /// Whether the client is still connected. Nil where the answer doesn't take long.
  let client: ClientPresence?
  /// The parts of the path, by name.
  let values: [String: String]
  /// The query string; every name in it is one that the route declares.
  let query: QueryString
  /// The body as it was sent; empty where the route reads it itself.
  let bytes: [UInt8]
  /// The body, where it is JSON.
  let document: JSONDocument?

  /// A part of the path.
  func path(_ name: String) -> String { values[name] ?? "" }

  /// A parameter of the query string.
  func text(_ name: String) -> String? { query[name] }

  /// A parameter that is a number.
  func integer(_ name: String) -> Int? { query[name].flatMap { Int($0) } }

  /// A switch: there, and not `false`.
  func flag(_ name: String) -> Bool {
    guard let text = query[name] else { return false }
    return text != "false" && text != "0"
  }

  /// The body; null when there is none.
  var body: JSONValue { document?.root.value ?? .null }
}
