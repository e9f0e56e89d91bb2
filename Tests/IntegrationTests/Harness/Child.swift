import Glibc
import Synchronization

/// A process that a test started. Its output goes to a file.
final class Child: Sendable {
  /// What a process left behind.
  struct Finished: Sendable {
    /// The exit code, or minus the signal.
    let status: Int32
    let output: String
    let errors: String
  }

  let pid: pid_t
  private let output: String
  private let errors: String
  private let ended = Mutex<Int32?>(nil)

  /// - Parameters:
  ///   - errors: the file for standard error; the same as `output` joins the two.
  ///   - input: the file for standard input.
  init(
    _ command: [String], in folder: String, environment: [String: String], output: String,
    errors: String, input: String = "/dev/null"
  ) throws {
    self.output = output
    self.errors = errors
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let flags = O_WRONLY | O_CREAT | O_APPEND
    posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, flags, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, errors, flags, 0o600)
    // `env` becomes the command; there is no other way to a folder of its own that Swift sees.
    let command = ["/usr/bin/env", "-C", folder] + command
    var arguments = command.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var child = pid_t()
    let result = posix_spawn(&child, command[0], &actions, nil, &arguments, &variables)
    guard result == 0 else {
      throw HarnessError("\(command[0]) can't be started: \(String(cString: strerror(result)))")
    }
    pid = child
  }

  deinit {
    guard status() == nil else { return }
    kill(pid, SIGKILL)
    waitpid(pid, nil, 0)
  }

  /// How it ended; nil while it runs.
  func status() -> Int32? {
    ended.withLock { ended in
      if let ended { return ended }
      var status: Int32 = 0
      guard waitpid(pid, &status, WNOHANG) == pid else { return nil }
      ended = status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f)
      return ended
    }
  }

  func signal(_ signal: Int32) {
    // Not after its end: its number may be another's by then.
    if status() == nil { kill(pid, signal) }
  }

  func finished(within limit: Duration = .longest) async throws -> Finished {
    let status = try await eventually("the end of \(pid)", within: limit, said: { said }) {
      self.status()
    }
    return Finished(status: status, output: read(output), errors: read(errors))
  }

  /// What it has written so far.
  var said: String { errors == output ? read(output) : read(output) + read(errors) }

  private func read(_ file: String) -> String {
    String(decoding: (try? TemporaryFolder.bytes(ofFile: file)) ?? [], as: UTF8.self)
  }
}
