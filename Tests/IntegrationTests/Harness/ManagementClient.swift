import AgentJSON
import Dispatch
import Glibc

/// A small client of the REST API on a Unix socket, one connection a request.
struct ManagementClient {
  struct Reply: Sendable {
    let status: Int
    let body: JSONValue

    /// The sentence of a refusal.
    var error: String { body["detail"]?.string ?? body.text() }
  }

  let socket: String

  /// The seconds without a byte of the answer after which nobody waits for it any longer.
  private static let patience = 180

  /// - Throws: when nobody answers.
  func send(_ method: String, _ path: String, body: JSONValue? = nil) async throws -> Reply {
    let text = body?.text() ?? ""
    let request =
      "\(method) /api/v1/\(path) HTTP/1.1\r\nHost: agent\r\nConnection: close\r\n"
      + (body == nil ? "" : "Content-Type: application/json\r\n")
      + "Content-Length: \(text.utf8.count)\r\n\r\n\(text)"
    return try await send(raw: Array(request.utf8))
  }

  /// Sends bytes as they are, away from the threads that run the tests.
  func send(raw bytes: [UInt8]) async throws -> Reply {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { try Self.reply(exchange(bytes)) })
      }
    }
  }

  /// An answer as it came.
  struct Answer: Sendable {
    let status: Int
    /// By their names in small letters.
    let headers: [String: String]
    let body: String
  }

  /// Sends a request for any path, with these headers.
  func answer(
    _ method: String, _ path: String, headers: [String] = [], body: String = ""
  ) async throws -> Answer {
    let lines =
      ["\(method) \(path) HTTP/1.1", "Host: agent", "Connection: close"] + headers
      + (body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"])
    let request = lines.joined(separator: "\r\n") + "\r\n\r\n" + body
    return try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(
          with: Result { try Self.answer(exchange(Array(request.utf8))) })
      }
    }
  }

  private static func answer(_ bytes: [UInt8]) throws -> Answer {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let end = text.range(of: "\r\n\r\n"), let status = Int(text.dropFirst(9).prefix(3)) else {
      throw HarnessError("The host closed the connection after: \(text.prefix(200))")
    }
    var headers: [String: String] = [:]
    for line in text[..<end.lowerBound].split(separator: "\r\n").dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      let value = parts.count > 1 ? parts[1].drop { $0 == " " } : ""
      headers[parts[0].lowercased()] = String(value)
    }
    return Answer(status: status, headers: headers, body: String(text[end.upperBound...]))
  }

  private func exchange(_ bytes: [UInt8]) throws -> [UInt8] {
    let stream = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = Glibc.socket(AF_UNIX, stream, 0)
    guard descriptor >= 0 else { throw HarnessError("no socket: \(errno)") }
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: socket.utf8.prefix(107)) }
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard connected == 0 else {
      throw HarnessError("\(socket): \(String(cString: strerror(errno)))")
    }
    var limit = timeval(tv_sec: Self.patience, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    guard Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      throw HarnessError("\(socket): the request can't be sent: \(errno)")
    }
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      // A process that is stopped and goes on finds its waiting interrupted.
      if count < 0 && errno == EINTR { continue }
      if count < 0 && errno == EAGAIN {
        throw HarnessError("The host didn't answer within \(Self.patience) s.")
      }
      guard count > 0 else { break }
      answer += buffer[..<count]
    }
    return answer
  }

  private static func reply(_ bytes: [UInt8]) throws -> Reply {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let end = text.range(of: "\r\n\r\n"), let status = Int(text.dropFirst(9).prefix(3)) else {
      throw HarnessError("The host closed the connection after: \(text.prefix(200))")
    }
    let body = text[end.upperBound...]
    return Reply(status: status, body: body.isEmpty ? .null : try JSONValue(parsing: String(body)))
  }
}

extension String {
  /// Where a text is for the first time.
  func range(of text: String) -> Range<String.Index>? {
    firstRange(of: text)
  }
}
