internal import AgentJSON

/// The kind and size of the body that a route accepts.
struct APIBody: Sendable {
  enum Content: Sendable {
    /// JSON of a shape. It is read and checked before the route's work begins.
    case json(Shape)
    /// JSON of a shape, or lines of JSON. The route reads lines itself as they arrive.
    case jsonOrLines(Shape)
    /// Lines of JSON, read as a whole.
    case lines
    /// Any bytes, read as a whole. A module's route checks its own body.
    case anything
  }

  let content: Content
  /// Whether the body may be missing.
  let isOptional: Bool
  /// The maximum size in bytes. Nil means the settings' limit.
  let limit: Int?

  static func json(_ shape: Shape, isOptional: Bool = false, limit: Int? = nil) -> APIBody {
    APIBody(content: .json(shape), isOptional: isOptional, limit: limit)
  }

  static func jsonOrLines(_ shape: Shape) -> APIBody {
    APIBody(content: .jsonOrLines(shape), isOptional: false, limit: nil)
  }

  static func lines(limit: Int) -> APIBody {
    APIBody(content: .lines, isOptional: false, limit: limit)
  }

  static let anything = APIBody(content: .anything, isOptional: true, limit: nil)

  /// Returns a body of any media type.
  static func bytes(limit: Int) -> APIBody {
    APIBody(content: .anything, isOptional: true, limit: limit)
  }

  /// Returns whether the route itself reads a body of this type, as it arrives.
  func isRead(as type: MediaType) -> Bool {
    if case .jsonOrLines = content { type == .lines } else { false }
  }

  /// The accepted media types, the most common first.
  var mediaTypes: [MediaType] {
    switch content {
    case .json: [.json]
    case .jsonOrLines: [.json, .lines]
    case .lines: [.lines]
    case .anything: []
    }
  }

  /// The OpenAPI description.
  var json: JSONValue {
    var media: JSONObject = [:]
    switch content {
    case .json(let shape): media[MediaType.json.rawValue] = ["schema": shape.reference]
    case .jsonOrLines(let shape):
      media[MediaType.json.rawValue] = ["schema": shape.reference]
      media[MediaType.lines.rawValue] = ["schema": ["type": "string"]]
    case .lines: media[MediaType.lines.rawValue] = ["schema": ["type": "string"]]
    case .anything: media["*/*"] = [:]
    }
    return ["required": .bool(!isOptional), "content": .object(media)]
  }

  /// The shapes that it refers to.
  var shapes: [Shape] {
    switch content {
    case .json(let shape), .jsonOrLines(let shape): [shape]
    case .lines, .anything: []
    }
  }
}

/// The media types of the API.
enum MediaType: String, Sendable {
  case json = "application/json"
  case lines = "application/x-ndjson"
  case events = "text/event-stream"
  case problem = "application/problem+json"
  case text = "text/plain; charset=utf-8"
  case html = "text/html; charset=utf-8"
  case prometheus = "text/plain; version=0.0.4; charset=utf-8"
  case openMetrics = "application/openmetrics-text; version=1.0.0; charset=utf-8"

  /// Reads the type of a `Content-Type` header without its parameters. Nil means an unknown type.
  init?(header: String) {
    let name = header.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
    switch name {
    case "application/json": self = .json
    case "application/x-ndjson", "application/ndjson", "application/jsonl": self = .lines
    default: return nil
    }
  }
}
