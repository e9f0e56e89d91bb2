internal import AgentSupervision
internal import Glibc
internal import Synchronization

/// Runs a program of the machine outside of supervision and reads its output. It blocks for five
/// seconds as a rule, so it is called on a thread for files.
enum CommandOutput {
  /// The time limit of a program, with the time that it takes to be loaded. Then the host kills the
  /// program and its process group.
  static let deadline: Duration = .seconds(5)
  /// The limit of the output, in bytes. If a program prints more, none of its output is returned.
  static let maxBytes = 1 << 16

  /// The environment of a program that must not see the host's environment. It has only PATH, HOME
  /// and LANG.
  static var cleanEnvironment: [String] {
    let names = ["PATH", "HOME"]
    let inherited = names.compactMap { (name: String) -> String? in
      getenv(name).map { "\(name)=\(String(cString: $0))" }
    }
    return inherited + ["LANG=C.UTF-8"]
  }

  /// Runs a command and returns the lines that it prints. Returns nil if the command can't be
  /// started, fails, prints more than ``maxBytes`` or takes longer than ``deadline``. A process that
  /// can't be killed, because its file system doesn't answer, is waited for.
  static func lines(of words: [String]) -> [String]? {
    guard let program = words.first else { return nil }
    let input = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard input >= 0 else { return nil }
    defer { close(input) }
    let command = ChildCommand(
      executable: program, arguments: Array(words.dropFirst()), environment: cleanEnvironment)
    let printed = Mutex<[UInt8]>([])
    let run = ProgramRun(
      command, input: input, grace: .zero, limits: ProgramLimits(time: deadline, output: maxBytes)
    ) { descriptor, bytes in
      // What it writes to standard error isn't an answer.
      if descriptor == STDOUT_FILENO { printed.withLock { $0 += bytes } }
    }
    do throws(SpawnError) {
      let outcome = try run.runOnThisThread()
      guard outcome.exit == .exited(code: 0), !outcome.wasStopped else { return nil }
    } catch {
      // The caller goes on without the answer of a program that can't be started.
      return nil
    }
    let text = printed.withLock { String(decoding: $0, as: UTF8.self) }
    return text.split(separator: "\n").map(String.init)
  }
}
