internal import AgentJSON

/// What the body of a request must be.
struct APIBody: Sendable {
  enum Content: Sendable {
    /// JSON that fits a shape; it is read and checked before the route's work begins.
    case json(Shape)
    /// The same, or lines of JSON, which the route reads itself as they come.
    case jsonOrLines(Shape)
    /// Lines of JSON, read whole.
    case lines
    /// Whatever it is, read whole: what modules serve checks its own.
    case anything
  }

  let content: Content
  /// Whether a request without a body will do.
  let isOptional: Bool
  /// The most bytes, where the route's differ from the settings'.
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

  /// Bytes of any media type.
  static func bytes(limit: Int) -> APIBody {
    APIBody(content: .anything, isOptional: true, limit: limit)
  }

  /// Whether the route reads lines itself, as they come.
  func isRead(as type: MediaType) -> Bool {
    if case .jsonOrLines = content { type == .lines } else { false }
  }

  /// The media types that it takes, the usual first.
  var mediaTypes: [MediaType] {
    switch content {
    case .json: [.json]
    case .jsonOrLines: [.json, .lines]
    case .lines: [.lines]
    case .anything: []
    }
  }

  /// As OpenAPI describes it.
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

  /// The shapes that it names.
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

  /// The type that a `Content-Type` header names, without its parameters; nil for another one.
  init?(header: String) {
    let name = header.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
    switch name {
    case "application/json": self = .json
    case "application/x-ndjson", "application/ndjson", "application/jsonl": self = .lines
    default: return nil
    }
  }
}
