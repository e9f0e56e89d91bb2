internal import CDescriptors
internal import Glibc
internal import Synchronization

/// Runs a program and waits for its end.
struct Command {
  /// The exit status of a program and its output.
  struct Outcome {
    /// The exit status, or 128 + the number of the signal that ended the program.
    let status: Int32
    /// The bytes of standard output and standard error, in the order of their arrival.
    let output: String
    /// Whether it was killed because it took too long.
    var isLate = false
  }

  /// The programs that run now.
  private static let running = Mutex<Set<pid_t>>([])

  let program: String
  let arguments: [String]

  /// Kills all programs that run, with what they have started.
  static func endAll() {
    for pid in running.withLock({ $0 }) { ProcessTree.kill(pid) }
  }

  /// Runs the program until it ends, or `limit` is over: then it is killed, with what it has started.
  /// It blocks, so the caller needs a thread that may block. Returns `nil` if the program can't be
  /// started.
  func run(within limit: Duration) -> Outcome? {
    var ends: [Int32] = [0, 0]
    guard descriptors_pipe(&ends) == 0 else { return nil }
    let child = spawn(output: ends[1])
    close(ends[1])
    defer { close(ends[0]) }
    guard let child else { return nil }
    _ = Self.running.withLock { $0.insert(child) }
    defer { _ = Self.running.withLock { $0.remove(child) } }
    let (output, isLate) = Self.readAll(ends[0], until: .now + limit)
    if isLate { ProcessTree.kill(child) }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 {
      // Another part of this process has reaped the program. Its status is lost, so the run counts
      // as failed.
      guard errno == EINTR else { return Outcome(status: 1, output: text(output)) }
    }
    let signal = status & 0x7f
    let code = signal == 0 ? (status >> 8) & 0xff : 128 + signal
    return Outcome(status: code, output: text(output), isLate: isLate)
  }

  private func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self)
  }

  private func spawn(output: Int32) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_adddup2(&actions, output, 2)
    var words = ([program] + arguments).map { strdup($0) }
    defer { words.forEach { free($0) } }
    words.append(nil)
    var child: pid_t = 0
    return posix_spawn(&child, program, &actions, nil, words, environ) == 0 ? child : nil
  }

  /// Reads to the end, which is the end of the program as a rule, or to the deadline.
  private static func readAll(
    _ descriptor: Int32, until deadline: ContinuousClock.Instant
  ) -> (bytes: [UInt8], isLate: Bool) {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let left = (deadline - .now).components
      if left.seconds < 0 || left.attoseconds < 0 { return (bytes, true) }
      var readable = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      // A second at a time, so that no limit is too long.
      if poll(&readable, 1, left.seconds > 0 ? 1_000 : 10) <= 0 { continue }
      let count = read(descriptor, &chunk, chunk.count)
      if count > 0 {
        bytes += chunk[..<count]
      } else if count == 0 || errno != EINTR {
        return (bytes, false)
      }
    }
  }
}
