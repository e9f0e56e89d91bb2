package import AgentJSON

/// The checked answer of a module's route. The host can send it unchanged.
package struct ModuleReply: Sendable {
  /// The status, 200 to 599.
  package var status: Int
  /// The headers, including `guards`.
  package var headers: [(name: String, value: String)]
  /// The media type of the body; `nil` if there is no body.
  package var contentType: String?
  package var body: [UInt8]

  /// The maximum size of an answer's body, in bytes.
  static let maxBody = 8 << 20

  /// The headers that the host adds to every answer. They prevent a browser from treating content
  /// of the module as content of the agent.
  ///
  /// Rationale: a module is trusted less than the console, and both have the same origin.
  /// Therefore, a module's answer is a document and not an application. The browser runs none of
  /// its scripts and doesn't give it the agent's origin. The headers are on every answer, so that
  /// no list of media types has to be complete.
  static let guards: [(name: String, value: String)] = [
    (
      "content-security-policy",
      "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
        + "form-action 'none'; frame-ancestors 'self'"
    ),
    ("cross-origin-resource-policy", "same-origin"), ("referrer-policy", "no-referrer"),
    ("x-content-type-options", "nosniff"),
  ]

  /// Reads and checks the answer of a module.
  /// - Throws: the problem with the answer. The message follows "The module NAME sent an invalid
  ///   response: ".
  package init(_ answer: JSONValue) throws(Wrong) {
    guard case .object(let object) = answer else { throw Wrong("it isn't an object.") }
    let known = ["status", "headers", "content_type", "json", "body", "body_base64"]
    // A misspelled member is an error. Otherwise the answer would have an empty body.
    for key in object.keys where !known.contains(key) {
      throw Wrong("\"\(key.prefix(64))\" isn't known in an answer.")
    }
    status = try Self.status(object["status"])
    // An answer can't set a header of the guards itself, because none of them is in the list of
    // allowed headers.
    headers = try Self.headers(object["headers"]) + Self.guards
    let (body, usual) = try Self.body(object)
    guard body.count <= Self.maxBody else {
      throw Wrong("its body has \(body.count) bytes; \(Self.maxBody) is the most.")
    }
    // A response with one of these statuses has no body.
    self.body = status == 204 || status == 304 ? [] : body
    contentType = self.body.isEmpty ? nil : try Self.contentType(object["content_type"]) ?? usual
  }

  /// The reason why an answer can't be sent.
  package struct Wrong: Error {
    package let message: String
    init(_ message: String) { self.message = message }
  }

  private static func status(_ value: JSONValue?) throws(Wrong) -> Int {
    guard let value else { return 200 }
    guard let status = value.int, (200...599).contains(status) else {
      throw Wrong("its status isn't a number from 200 to 599.")
    }
    return status
  }

  private static func headers(
    _ value: JSONValue?
  ) throws(Wrong) -> [(name: String, value: String)] {
    guard let value else { return [] }
    guard case .object(let members) = value, members.count <= 32 else {
      throw Wrong("its headers aren't an object with at most 32 members.")
    }
    var headers: [(name: String, value: String)] = []
    for (name, value) in members {
      guard let text = value.string else { throw Wrong("the header \"\(name)\" isn't a text.") }
      if let problem = SafeHeaders.problem(ofAnswer: name, text) { throw Wrong(problem) }
      headers.append((name.lowercased(), text))
    }
    return headers
  }

  private static func body(_ object: JSONObject) throws(Wrong) -> ([UInt8], String) {
    let members = ["json", "body", "body_base64"].filter { object[$0] != nil }
    guard members.count <= 1 else {
      throw Wrong("it has \(members.joined(separator: " and ")), and an answer has one body.")
    }
    if let json = object["json"] { return (json.bytes(), "application/json") }
    if let body = object["body"] {
      guard let text = body.string else { throw Wrong("its \"body\" isn't a text.") }
      return (Array(text.utf8), "text/plain; charset=utf-8")
    }
    guard let encoded = object["body_base64"] else { return ([], "") }
    guard let bytes = encoded.string.flatMap(JSONBase64.decode(_:)) else {
      throw Wrong("its \"body_base64\" isn't base64.")
    }
    return (bytes, "application/octet-stream")
  }

  private static func contentType(_ value: JSONValue?) throws(Wrong) -> String? {
    guard let value else { return nil }
    guard let text = value.string, text.utf8.count <= 200, text.contains("/"),
      text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }), text.first?.isLetter == true
    else { throw Wrong("its \"content_type\" isn't one.") }
    return text
  }
}
