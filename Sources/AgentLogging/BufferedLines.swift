internal import AgentSystem
internal import Dispatch
internal import Synchronization

/// Writes lines to a file in batches, for sources with tens of thousands of lines a second. A
/// thread of its own writes the collected lines four times a second. Lines beyond the buffer are
/// dropped, and the file records their number.
package final class BufferedLines: Sendable {
  private struct State {
    var waiting: [UInt8] = []
    var dropped = 0
    var isScheduled = false
  }

  // 8 MiB is the memory limit for lines that wait for a slow disk.
  private static let most = 8 << 20
  private static let pause = DispatchTimeInterval.milliseconds(250)
  private let state = Mutex(State())
  private let file: Mutex<RotatingFile>
  private let change: @Sendable (String) -> String
  private let thread = DispatchQueue(label: "agent.lines")

  /// - Parameter change: changes the text before it is written, for example removes secrets. Called
  ///   on the writing thread.
  package init(
    path: String, rotation: LogRotation, change: @escaping @Sendable (String) -> String
  ) {
    file = Mutex(RotatingFile(path: path, rotation: rotation))
    self.change = change
  }

  /// Adds a line, which must end with a newline. Any thread may call it; it never waits for the
  /// disk.
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

  /// Writes the waiting lines and returns after that. Called at the end of the host.
  package func flush() { thread.sync { write() } }

  private func write() {
    // The lock isn't held during the write, so that `append` never waits for the disk.
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
