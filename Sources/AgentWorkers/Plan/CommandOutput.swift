internal import AgentSupervision
internal import AgentSystem
internal import CDescriptors
internal import Glibc

/// Runs a program of the machine outside of supervision and reads its output. It blocks for five
/// seconds at most, so it is called on a thread for files.
enum CommandOutput {
  /// The time limit of a program. Then the host kills the program and its process group.
  static let deadline: Duration = .seconds(5)
  /// The limit of the output, in bytes. If a program prints more, none of its output is returned.
  static let maxBytes = 1 << 16
  private static let pause: Duration = .milliseconds(2)

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
  /// started, fails, prints more than ``maxBytes`` or takes longer than ``deadline``.
  /// - Parameter environment: nil means ``cleanEnvironment``.
  static func lines(of words: [String], environment: [String]? = nil) -> [String]? {
    let environment = environment ?? cleanEnvironment
    // A zero byte ends a text for the kernel. The kernel would run another program than the one
    // that the caller names.
    guard !words.isEmpty, !(words + environment).contains(where: { $0.utf8.contains(0) }) else {
      return nil
    }
    var ends: [Int32] = [-1, -1]
    guard descriptors_pipe(&ends) == 0 else { return nil }
    defer { close(ends[0]) }
    let pid = start(words, environment, output: ends[1])
    // The host closes its own copy of the pipe's end. While a copy is open, the output has no end.
    close(ends[1])
    guard let pid else { return nil }
    let end = ContinuousClock.now + deadline
    let text = read(ends[0], until: end)
    let status = reap(pid, until: end)
    guard let text, status == 0 else { return nil }
    return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private static func start(_ words: [String], _ environment: [String], output: Int32) -> Int32? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The program gets a process group of its own, so that the host can kill it together with the
    // processes that it starts.
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    var list = words.map { strdup($0) } + [nil]
    var variables = environment.map { strdup($0) } + [nil]
    defer { for text in list + variables { free(text) } }
    return KnownChildren.ofThisProcess.spawning { () -> Int32? in
      var pid: pid_t = 0
      return posix_spawnp(&pid, words[0], &actions, &attributes, &list, &variables) == 0 ? pid : nil
    }
  }

  /// Returns the whole output. Returns nil if it is longer than ``maxBytes``, if it can't be read,
  /// or if it doesn't end before `end`.
  private static func read(_ descriptor: Int32, until end: ContinuousClock.Instant) -> [UInt8]? {
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while text.count <= maxBytes {
      let left = ContinuousClock.now.duration(to: end).wholeMilliseconds
      guard left > 0 else { return nil }
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&polled, 1, Int32(clamping: left)) > 0 else { continue }
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      if count == 0 { return text }
      guard count > 0 else { return nil }
      text += buffer[..<count]
    }
    return nil
  }

  /// Waits for the end of a program, kills it at its deadline and reaps it. Returns its exit
  /// status, or nil if it can't be reaped. Only the reaping holds the lock of ``KnownChildren``, so
  /// other starts and reapings of children don't wait for this program.
  private static func reap(_ pid: Int32, until end: ContinuousClock.Instant) -> Int32? {
    while !hasEnded(pid, waits: false), ContinuousClock.now < end {
      usleep(useconds_t(clamping: pause.wholeMilliseconds.multiplied(1000)))
    }
    // The host kills the group even if the program has ended, because the program may have left
    // other processes in its group. The host does this before the reaping, because no other process
    // can have the number until then.
    _ = kill(-pid, SIGKILL)
    _ = hasEnded(pid, waits: true)
    return KnownChildren.ofThisProcess.reaping(pid) { () -> Int32? in
      var status: Int32 = 0
      return waitpid(pid, &status, WNOHANG) == pid ? status : nil
    }
  }

  private static func hasEnded(_ pid: Int32, waits: Bool) -> Bool {
    var information = siginfo_t()
    let options = WEXITED | WNOWAIT | (waits ? 0 : WNOHANG)
    while waitid(P_PID, id_t(bitPattern: pid), &information, options) != 0 {
      if errno != EINTR { return true }
    }
    return waits || information.si_signo != 0
  }
}
