internal import Dispatch
internal import Glibc

/// The standard input of the command.
enum StandardInput {
  /// Returns everything up to its end.
  static func all() -> [UInt8] {
    var bytes: [UInt8] = []
    while let more = next() { bytes += more }
    return bytes
  }

  /// Waits for the next bytes. Returns nil at the end.
  static func next() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(0, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      return count > 0 ? Array(buffer[..<count]) : nil
    }
  }

  /// The pieces of the input. Each is read after the one before was used, on a thread that may
  /// block.
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
