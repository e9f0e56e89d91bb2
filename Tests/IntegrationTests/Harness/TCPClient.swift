import AgentJSON
import Dispatch
import Glibc

/// A connection to a port of this machine, whose waits are away from the threads that run the tests.
final class TCPClient: Sendable {
  private let descriptor: Int32

  /// - Parameter host: which address of the loopback it comes from, 127.0.0.`host`.
  init(port: Int, from host: UInt32 = 1) throws {
    let stream = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    descriptor = socket(AF_INET, stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = (0x7F00_0000 | host).bigEndian
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isBound else {
      throw HarnessError("127.0.0.\(host): \(String(cString: strerror(errno)))")
    }
    address.sin_port = in_port_t(UInt16(port).bigEndian)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else {
      throw HarnessError("port \(port): \(String(cString: strerror(errno)))")
    }
    var limit = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  /// Sends a text, and says that there is no more where `ends`.
  func send(_ text: String, ends: Bool = false) async throws {
    let sent = await waiting { [descriptor] in
      let bytes = Array(text.utf8)
      var start = 0
      while start < bytes.count {
        let count = bytes[start...].withUnsafeBytes {
          Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { return false }
        start += count
      }
      return true
    }
    guard sent else { throw HarnessError("The connection can't be written.") }
    if ends { shutdown(descriptor, Int32(SHUT_WR)) }
  }

  /// The lines that come until the other side closes.
  func answers() async throws -> [JSONValue] {
    try await text().split(separator: "\n").map { try JSONValue(parsing: String($0)) }
  }

  /// What comes until the other side closes.
  func text() async -> String {
    await waiting { [descriptor] in
      var answer: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0 {
        answer += buffer[..<count]
      }
      return String(decoding: answer, as: UTF8.self)
    }
  }

  private func waiting<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: work()) }
    }
  }
}

extension AgentUnderTest {
  /// A port of the agent's, once it is open.
  func listener(_ what: String, _ isSo: (JSONValue) -> Bool) async throws -> JSONValue {
    try await eventually("the port \(what)", said: { said }) {
      let status = try await client.send("GET", "status").body
      guard let listener = status["listeners"]?[0], isSo(listener) else { return nil }
      return listener
    }
  }

  /// The number of the agent's port, once it is open.
  func openPort() async throws -> Int {
    let listener = try await listener("is open") { $0["state"] == "LISTENING" }
    guard let text = listener["address"]?.string?.split(separator: ":").last, let port = Int(text)
    else { throw HarnessError("no port: \(listener)") }
    return port
  }
}
