internal import AgentSystem
internal import AsyncHTTPClient
internal import Glibc
internal import NIOCore
internal import NIOPosix

/// Why nobody was reached, for people.
enum ConnectionFault {
  static func text(_ error: any Error) -> String {
    switch error {
    case let error as IOError: SystemError.text(error.errnoCode)
    case let error as NIOConnectionError:
      error.connectionErrors.first.map { text($0.error) } ?? "no connection could be made"
    case let error as HTTPClientError where isTimeout(error): "it didn't respond in time"
    default: "\(error)"
    }
  }

  private static func isTimeout(_ error: HTTPClientError) -> Bool {
    [.deadlineExceeded, .readTimeout, .connectTimeout, .tlsHandshakeTimeout].contains(error)
  }
}
