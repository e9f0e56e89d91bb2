internal import AgentJSON
internal import HTTPTypes

/// A successful answer of a route, for the OpenAPI document.
struct APIReply: Sendable {
  let status: HTTPResponse.Status
  /// The media types, each with the shape of its body. The list is empty for an answer without a
  /// body.
  let content: [(type: String, shape: Shape?)]
  let summary: String

  /// Returns an answer of JSON.
  static func json(
    _ status: HTTPResponse.Status, _ shape: Shape, summary: String = "Done."
  ) -> APIReply {
    APIReply(status: status, content: [(MediaType.json.rawValue, shape)], summary: summary)
  }

  static func ok(_ shape: Shape, _ summary: String = "Done.") -> APIReply {
    .json(.ok, shape, summary: summary)
  }

  /// Returns an answer of text, such as a stream.
  static func text(_ types: [MediaType], _ summary: String) -> APIReply {
    APIReply(status: .ok, content: types.map { ($0.rawValue, nil) }, summary: summary)
  }

  /// Returns an answer without a body.
  static func empty(_ status: HTTPResponse.Status, _ summary: String) -> APIReply {
    APIReply(status: status, content: [], summary: summary)
  }

  /// The OpenAPI description.
  var json: JSONValue {
    var object: JSONObject = ["description": .string(summary)]
    if !content.isEmpty {
      var media = JSONObject()
      for (type, shape) in content {
        // The client of a stream gets a sequence of events, not one text. OpenAPI 3.1 can't
        // describe that. A file may be of any type: one of JSON may hold a list.
        let isOpen = type == MediaType.events.rawValue || type == "*/*"
        media[type] = isOpen ? [:] : ["schema": shape?.reference ?? ["type": "string"]]
      }
      object["content"] = .object(media)
    }
    return .object(object)
  }
}
