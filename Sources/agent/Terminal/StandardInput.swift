internal import Dispatch
internal import Glibc

/// What is piped into the command.
enum StandardInput {
  /// Everything up to its end.
  static func all() -> [UInt8] {
    var bytes: [UInt8] = []
    while let more = next() { bytes += more }
    return bytes
  }

  /// What is there, waiting for it; nil at the end.
  static func next() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(0, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      return count > 0 ? Array(buffer[..<count]) : nil
    }
  }

  /// Its pieces as they come, each read when the one before was taken, on a thread that may wait.
  struct Pieces: AsyncSequence, AsyncIteratorProtocol, Sendable {
    private static let thread = DispatchQueue(label: "agent.input")

    func makeAsyncIterator() -> Pieces { self }

    func next() async -> [UInt8]? {
      await withCheckedContinuation { continuation in
        Self.thread.async { continuation.resume(returning: StandardInput.next()) }
      }
    }
  }
}
