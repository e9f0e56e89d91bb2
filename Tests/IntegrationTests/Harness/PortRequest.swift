import AgentJSON

/// A request to the agent's port, written as it goes over the wire.
struct PortRequest: Sendable {
  var method = "GET"
  var target = "/"
  var host = "localhost"
  var token: String?
  var headers: [(name: String, value: String)] = []
  var body = ""

  /// Sends it on a connection of its own.
  func send(to port: Int) async throws -> PortReply {
    var text = "\(method) \(target) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n"
    if let token { text += "Authorization: Bearer \(token)\r\n" }
    for (name, value) in headers { text += "\(name): \(value)\r\n" }
    if !body.isEmpty { text += "Content-Length: \(body.utf8.count)\r\n" }
    let connection = try TCPClient(port: port)
    try await connection.send("\(text)\r\n\(body)")
    return try PortReply(await connection.text())
  }
}

/// What came back.
struct PortReply: Sendable {
  let status: Int
  let headers: [String: String]
  let body: String

  init(_ text: String) throws {
    guard let end = text.firstRange(of: "\r\n\r\n"), let status = Int(text.dropFirst(9).prefix(3))
    else { throw HarnessError("no answer: \(text.prefix(200))") }
    self.status = status
    body = String(text[end.upperBound...])
    let lines = text[..<end.lowerBound].split(separator: "\r\n").dropFirst()
    headers = Dictionary(
      lines.map { line in
        let sides = line.split(separator: ":", maxSplits: 1)
        return (
          sides[0].lowercased(), sides.count > 1 ? String(sides[1].drop { $0 == " " }) : ""
        )
      }, uniquingKeysWith: { "\($0), \($1)" })
  }

  /// The body, where it is JSON.
  var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }
}
