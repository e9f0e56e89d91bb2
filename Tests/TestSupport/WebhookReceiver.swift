package import AgentJSON
import Dispatch
import Glibc
import Synchronization

/// A small HTTP server that remembers what it was sent, and answers as it was told to.
package final class WebhookReceiver: Sendable {
  /// What it does with a request.
  package enum Answer: Sendable {
    /// A status, header lines, a body.
    case status(Int, [String] = [], String = "")
    /// A head and the beginning of a body, which never ends.
    case beginning
    /// Nothing: the connection stays open.
    case silence
  }

  /// A request that it was sent.
  package struct Request: Sendable {
    package let path: String
    /// By their names in lower case.
    package let headers: [String: String]
    package let body: [UInt8]

    package var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }
    package var id: String { headers["webhook-id"] ?? "" }
  }

  private struct State {
    var requests: [Request] = []
    var answers: [Answer]
    var open: [Int32] = []
    var isClosed = false
  }

  package let port: Int
  private let listener: Int32
  private let state: Mutex<State>

  /// - Parameters:
  ///   - answers: for the first requests, in order; the others are answered with 200.
  ///   - host: 127.0.0.1, or another address of this machine.
  package init(_ answers: [Answer] = [], on host: String = "127.0.0.1") throws {
    state = Mutex(State(answers: answers))
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    inet_pton(AF_INET, host, &address.sin_addr)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let isOpen = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && listen(listener, 64) == 0
          && getsockname(listener, $0, &size) == 0
      }
    }
    guard isOpen else { throw CancellationError() }
    port = Int(UInt16(bigEndian: address.sin_port))
    // On a thread of its own, away from those that run the tests.
    DispatchQueue(label: "webhook receiver").async { [weak self] in
      // Closed here alone: were it closed while this still accepts, its number could be another's.
      defer { close(listener) }
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else {
          if errno == EINTR { continue }
          return
        }
        guard let self else {
          close(connection)
          return
        }
        let serve = serve
        DispatchQueue(label: "webhook connection").async { serve(connection) }
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    state.withLock { state in for connection in state.open { close(connection) } }
  }

  /// The requests that it was sent.
  package var requests: [Request] { state.withLock { $0.requests } }

  @Sendable
  private func serve(_ connection: Int32) {
    guard let request = Self.read(connection) else {
      close(connection)
      return
    }
    let answer = state.withLock { state in
      state.requests.append(request)
      return state.answers.isEmpty ? .status(200) : state.answers.removeFirst()
    }
    guard case .status(let status, let headers, let body) = answer else {
      if case .beginning = answer {
        let text = Array("HTTP/1.1 200 x\r\nContent-Length: 9\r\n\r\na".utf8)
        _ = send(connection, text, text.count, Int32(MSG_NOSIGNAL))
      }
      return state.withLock { $0.open.append(connection) }
    }
    let lines =
      ["HTTP/1.1 \(status) x", "Connection: close", "Content-Length: \(body.utf8.count)"]
      + headers + ["", body]
    let text = Array(lines.joined(separator: "\r\n").utf8)
    _ = send(connection, text, text.count, Int32(MSG_NOSIGNAL))
    close(connection)
  }

  private static func read(_ connection: Int32) -> Request? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(connection, &buffer, buffer.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      bytes += buffer[..<count]
      if let request = request(bytes) { return request }
    }
  }

  private static func request(_ bytes: [UInt8]) -> Request? {
    let mark = Array("\r\n\r\n".utf8)
    guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: mark) }) else {
      return nil
    }
    let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2 {
        headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
      }
    }
    let body = Array(bytes[(end + 4)...])
    guard body.count >= Int(headers["content-length"] ?? "0") ?? 0 else { return nil }
    let words = lines.first?.split(separator: " ") ?? []
    return Request(path: words.count > 1 ? String(words[1]) : "", headers: headers, body: body)
  }
}
