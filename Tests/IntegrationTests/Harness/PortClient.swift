import AgentJSON
import Testing

/// A small client of the API's port, one connection a request.
struct PortClient {
  struct Reply: Sendable {
    let status: Int
    /// The head and the body, as they came.
    let text: String

    /// The body, where it is JSON.
    var body: JSONValue {
      let body = text.range(of: "\r\n\r\n").map { text[$0.upperBound...] } ?? ""
      return (try? JSONValue(parsing: String(body))) ?? .null
    }
  }

  let port: Int

  /// - Parameters:
  ///   - token: sent as a bearer token.
  ///   - body: sent as it is, whether it is of its type or not.
  func send(
    _ method: String, _ path: String, token: String? = nil, body: String? = nil,
    type: String = "application/json"
  ) async throws -> Reply {
    var lines = ["\(method) \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Connection: close"]
    if let token { lines.append("Authorization: Bearer \(token)") }
    if let body {
      lines += ["Content-Type: \(type)", "Content-Length: \(body.utf8.count)"]
    }
    let client = try TCPClient(port: port)
    try await client.send((lines + ["", body ?? ""]).joined(separator: "\r\n"))
    let text = await client.text()
    guard let status = Int(text.dropFirst(9).prefix(3)) else {
      throw HarnessError("The port didn't answer \(path): \(text.prefix(200))")
    }
    return Reply(status: status, text: text)
  }
}

extension AgentUnderTest {
  /// The API's port, once it is open.
  func port() async throws -> PortClient {
    try await eventually("the API's port is open", said: { said }) {
      let url = try await client.send("GET", "status").body["url"]?.string
      return url?.split(separator: ":").last.flatMap { Int($0) }.map { PortClient(port: $0) }
    }
  }
}
