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

  /// The programs that aren't reaped yet. A program is reaped under the lock, so that each number is
  /// that of its program while the lock is held.
  private static let running = Mutex<Set<pid_t>>([])
  /// How long a program may take to end after it was killed. One that waits for a file system that
  /// doesn't answer may take for ever.
  private static let longestEnd = Duration.seconds(5)

  let program: String
  let arguments: [String]

  /// Kills all programs that run, with what they have started.
  static func endAll() {
    running.withLock { running in
      for pid in running { ProcessTree.kill(pid) }
    }
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
    let deadline = ContinuousClock.now + limit
    let (output, isOpen) = Self.readAll(ends[0], until: deadline)
    // A program may close its output and go on.
    let isLate = isOpen || !Self.hasEnded(child, before: deadline)
    if isLate {
      ProcessTree.kill(child)
      _ = Self.hasEnded(child, before: .now + Self.longestEnd)
    }
    // Without a status, another part of this process has reaped the program, or nothing ends it. The
    // run counts as failed.
    let status = Self.reap(child) ?? 1 << 8
    let signal = status & 0x7f
    let code = signal == 0 ? (status >> 8) & 0xff : 128 + signal
    return Outcome(status: code, output: text(output), isLate: isLate)
  }

  /// Waits for the end of a program, and doesn't reap it.
  /// - Returns: whether it has ended.
  private static func hasEnded(
    _ child: pid_t, before deadline: ContinuousClock.Instant
  ) -> Bool {
    // Most programs end with their output. The first look finds most others.
    var pause: useconds_t = 100
    while true {
      var about = siginfo_t()
      if waitid(P_PID, id_t(bitPattern: child), &about, WEXITED | WNOWAIT | WNOHANG) != 0 {
        // Another part of this process has reaped it.
        if errno != EINTR { return true }
      } else if about.si_signo != 0 {
        return true
      }
      guard ContinuousClock.now < deadline else { return false }
      usleep(pause)
      pause = min(pause &* 2, 10_000)
    }
  }

  /// Reaps a program that has ended. From then on, its number may be that of another one.
  /// - Returns: how it ended, as `waitpid` has it; `nil` if it still runs or isn't there.
  private static func reap(_ child: pid_t) -> Int32? {
    running.withLock { running in
      var status: Int32 = 0
      let reaped = waitpid(child, &status, WNOHANG)
      // One that still runs stays, so that `endAll` tries to kill it again.
      if reaped != 0 { running.remove(child) }
      return reaped == child ? status : nil
    }
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
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The caller's thread may block signals, as those of the pools do. A shell whose SIGCHLD is blocked
    // never sees the end of what it has started.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var words = ([program] + arguments).map { strdup($0) }
    defer { words.forEach { free($0) } }
    words.append(nil)
    var child: pid_t = 0
    return posix_spawn(&child, program, &actions, &attributes, words, environ) == 0 ? child : nil
  }

  /// Reads to the end, which is the end of the program as a rule, or to the deadline.
  /// - Returns: the bytes, and whether more may come.
  private static func readAll(
    _ descriptor: Int32, until deadline: ContinuousClock.Instant
  ) -> (bytes: [UInt8], isOpen: Bool) {
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
