internal import AgentAccess
internal import AgentEvents
internal import AgentJSON
internal import Hummingbird
internal import HummingbirdCore

/// A request that has passed all checks. The route answers it.
struct APICall: Sendable {
  let request: Request
  let principal: Principal
  /// The origin: an address, or `unix`.
  let address: String
  /// The request's id. The answer and the logs show it.
  let id: String
  /// Whether the client is still connected. Nil means that the answer is quick and doesn't need it.
  let client: ClientPresence?
  /// The end of the request's token. Nil means that the answer is quick and doesn't need it.
  let tokenEnd: TokenEnd?
  /// What the stream of the answer holds. Nil means that the answer isn't one.
  let account: StreamAccount?
  /// What the request's body holds. A route that reads the body itself tells it. Nil means that it
  /// isn't counted.
  var share: BodyBudget.Share?
  /// The named parts of the path.
  let values: [String: String]
  /// The query string. The route has declared every name in it.
  let query: QueryString
  /// The body as it was sent. It is empty if the route reads the body itself.
  let bytes: [UInt8]
  /// The parsed body. Nil means that it isn't JSON or that there is none.
  let document: JSONDocument?

  /// Returns a part of the path.
  func path(_ name: String) -> String { values[name] ?? "" }

  /// Returns a parameter of the query string.
  func text(_ name: String) -> String? { query[name] }

  /// Returns a parameter of the query string as a number.
  func integer(_ name: String) -> Int? { query[name].flatMap { Int($0) } }

  /// Returns whether a parameter is present and isn't `false`.
  func flag(_ name: String) -> Bool {
    guard let text = query[name] else { return false }
    return text != "false" && text != "0"
  }

  /// The body as a value. It is null if there is none.
  var body: JSONValue { document?.root.value ?? .null }
}
