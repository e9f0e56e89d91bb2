internal import CDescriptors
internal import Glibc

/// Runs a program and waits for its end.
struct Command {
  /// The exit status of a program and its output.
  struct Outcome {
    /// The exit status, or 128 + the number of the signal that ended the program.
    let status: Int32
    /// The bytes of standard output and standard error, in the order of their arrival.
    let output: String
  }

  let program: String
  let arguments: [String]

  /// Runs the program until it ends. It blocks, so the caller needs a thread that may block.
  /// Returns `nil` if the program can't be started.
  func run() -> Outcome? {
    var ends: [Int32] = [0, 0]
    guard descriptors_pipe(&ends) == 0 else { return nil }
    let child = spawn(output: ends[1])
    close(ends[1])
    defer { close(ends[0]) }
    guard let child else { return nil }
    let output = Self.readAll(ends[0])
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 {
      // Another part of this process has reaped the program. Its status is lost, so the run counts
      // as failed.
      guard errno == EINTR else { return Outcome(status: 1, output: text(output)) }
    }
    let signal = status & 0x7f
    let code = signal == 0 ? (status >> 8) & 0xff : 128 + signal
    return Outcome(status: code, output: text(output))
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

  private static func readAll(_ descriptor: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count > 0 {
        bytes += chunk[..<count]
      } else if count == 0 || errno != EINTR {
        return bytes
      }
    }
  }
}
