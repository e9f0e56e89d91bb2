internal import AgentJSON
internal import HTTPTypes

/// How a route answers when it works, for the OpenAPI document.
struct APIReply: Sendable {
  let status: HTTPResponse.Status
  /// The media types, each with the shape of its body; empty for an answer without one.
  let content: [(type: String, shape: Shape?)]
  let summary: String

  /// JSON of a shape.
  static func json(
    _ status: HTTPResponse.Status, _ shape: Shape, _ summary: String = "Done."
  ) -> APIReply {
    APIReply(status: status, content: [(MediaType.json.rawValue, shape)], summary: summary)
  }

  static func ok(_ shape: Shape, _ summary: String = "Done.") -> APIReply {
    .json(.ok, shape, summary)
  }

  /// Text of media types, such as a stream.
  static func text(_ types: [MediaType], _ summary: String) -> APIReply {
    APIReply(status: .ok, content: types.map { ($0.rawValue, nil) }, summary: summary)
  }

  /// An answer without a body.
  static func empty(_ status: HTTPResponse.Status, _ summary: String) -> APIReply {
    APIReply(status: status, content: [], summary: summary)
  }

  /// As OpenAPI describes it.
  var json: JSONValue {
    var object: JSONObject = ["description": .string(summary)]
    if !content.isEmpty {
      var media = JSONObject()
      for (type, shape) in content {
        // What reads a stream of events gets objects, not one text; OpenAPI 3.1 has no words for it.
        let isEvents = type == MediaType.events.rawValue
        media[type] = isEvents ? [:] : ["schema": shape?.reference ?? ["type": "string"]]
      }
      object["content"] = .object(media)
    }
    return .object(object)
  }
}
