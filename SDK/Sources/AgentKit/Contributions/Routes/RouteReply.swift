/// A route's answer. The host adds headers that make it a plain document: it runs no scripts, and
/// nothing in it has the agent's origin. docs/module-routes.md lists the headers that may be set.
public struct RouteReply: Sendable, Hashable {
  /// The content of the body.
  public enum Body: Sendable, Hashable {
    /// No body.
    case empty
    /// JSON.
    case json(JSONValue)
    /// Text.
    case text(String)
    /// Bytes of any kind.
    case bytes([UInt8])
  }

  /// From 200 to 599.
  public var status: Int
  /// Headers, limited to those that a module may set.
  public var headers: [String: String]
  /// The body's content type; the default for its kind when nil.
  public var contentType: String?
  /// The body, at most 8 MiB.
  public var body: Body

  /// Makes an answer.
  public init(
    _ body: Body = .empty, contentType: String? = nil, status: Int = 200,
    headers: [String: String] = [:]
  ) {
    self.body = body
    self.contentType = contentType
    self.status = status
    self.headers = headers
  }

  /// A JSON answer.
  public static func json(
    _ value: some Encodable, status: Int = 200, headers: [String: String] = [:]
  ) throws -> RouteReply {
    let json = if let value = value as? JSONValue { value } else { try JSONValue(encoding: value) }
    return RouteReply(.json(json), status: status, headers: headers)
  }

  /// A text answer.
  public static func text(
    _ text: String, contentType: String = "text/plain; charset=utf-8", status: Int = 200,
    headers: [String: String] = [:]
  ) -> RouteReply {
    RouteReply(.text(text), contentType: contentType, status: status, headers: headers)
  }

  /// An HTML page. Scripts don't run in it, its own styles apply, and images are `data:` only.
  public static func html(
    _ text: String, status: Int = 200, headers: [String: String] = [:]
  ) -> RouteReply {
    RouteReply(
      .text(text), contentType: "text/html; charset=utf-8", status: status, headers: headers)
  }

  /// An answer of bytes of any kind.
  public static func bytes(
    _ bytes: [UInt8], contentType: String, status: Int = 200, headers: [String: String] = [:]
  ) -> RouteReply {
    RouteReply(.bytes(bytes), contentType: contentType, status: status, headers: headers)
  }

  var json: JSONValue {
    var object: JSONObject = ["status": JSONValue(status)]
    if !headers.isEmpty {
      let sorted = headers.sorted { $0.key < $1.key }
      object["headers"] = .object(JSONObject(sorted.map { ($0.key, .string($0.value)) }))
    }
    object["content_type"] = contentType.map(JSONValue.string)
    switch body {
    case .empty: break
    case .json(let value): object["json"] = value
    case .text(let text): object["body"] = .string(text)
    case .bytes(let bytes): object["body_base64"] = .string(JSONBase64.encode(bytes))
    }
    return .object(object)
  }
}
