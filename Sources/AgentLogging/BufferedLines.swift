internal import AgentSystem
internal import Dispatch
internal import Synchronization

/// A file of lines that may come by the ten thousand a second: they are gathered and written a few
/// times a second, on a thread of its own. Lines that a slow disk can't take are dropped, counted,
/// and said in the file.
package final class BufferedLines: Sendable {
  private struct State {
    var waiting: [UInt8] = []
    var dropped = 0
    var isScheduled = false
  }

  private static let most = 8 << 20
  private static let pause = DispatchTimeInterval.milliseconds(250)
  private let state = Mutex(State())
  private let file: Mutex<RotatingFile>
  private let change: @Sendable (String) -> String
  private let thread = DispatchQueue(label: "agent.lines")

  /// - Parameter change: what is done with the text before it is written, such as removing secrets.
  package init(
    path: String, rotation: LogRotation, change: @escaping @Sendable (String) -> String
  ) {
    file = Mutex(RotatingFile(path: path, rotation: rotation))
    self.change = change
  }

  /// Takes a line, which ends with a newline. From any thread; never waits.
  package func append(_ line: [UInt8]) {
    let mustSchedule = state.withLock { state in
      guard state.waiting.count + line.count <= Self.most else {
        state.dropped += 1
        return false
      }
      state.waiting += line
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if mustSchedule { thread.asyncAfter(deadline: .now() + Self.pause) { [self] in write() } }
  }

  /// Writes what is waiting. Blocks; for the end of the host.
  package func flush() { thread.sync { write() } }

  private func write() {
    let (bytes, dropped) = state.withLock { state in
      defer { state = State() }
      return (state.waiting, state.dropped)
    }
    var text = bytes.isEmpty ? "" : change(String(decoding: bytes, as: UTF8.self))
    if dropped > 0 { text += "{\"dropped\":\(dropped)}\n" }
    guard !text.isEmpty else { return }
    file.withLock { _ = $0.append(Array(text.utf8), now: Timestamp.now()) }
  }
}
