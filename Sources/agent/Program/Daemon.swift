internal import AgentDiagnostics
internal import AgentJSON
internal import AgentModules
internal import AgentHost
internal import AgentSettings
internal import Glibc
internal import NIOCore
internal import NIOHTTP1

/// A host in the background: how it is started, awaited and ended.
enum Daemon {
  /// Starts `agent run` in a session of its own, with its output in `.agent/logs/agent.out`.
  static func spawn(settings: String?, folder: AgentFolder, isSafe: Bool = false) throws -> pid_t {
    do {
      try folder.prepare()
    } catch {
      throw Failure(error.description)
    }
    let output = folder.logs + "/agent.out"
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(
      &actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // POSIX_SPAWN_SETSID, which the headers show to GNU programs only.
    posix_spawnattr_setflags(&attributes, 0x80)
    var words = ["agent", "run", "--daemon"]
    if let settings { words += ["--settings", settings] }
    if isSafe { words.append("--safe") }
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var pid: pid_t = 0
    let result = posix_spawn(
      &pid, "/proc/self/exe", &actions, &attributes, &arguments, environ)
    guard result == 0 else {
      throw Failure("The agent can't be started: \(String(cString: strerror(result))).")
    }
    return pid
  }

  /// How long a host is waited for that answers and isn't up: its processes may take a minute.
  private static let longestStart = Duration.seconds(75)
  private static let pause = Duration.milliseconds(50)

  /// Waits until the host is up; says why when it ends before that, or takes too long.
  static func awaitReady(folder: AgentFolder, pid: pid_t) async throws -> JSONValue {
    let clock = ContinuousClock()
    let deadline = clock.now + longestStart
    var answers = false
    while clock.now < deadline {
      var status: Int32 = 0
      if waitpid(pid, &status, WNOHANG) == pid {
        throw Failure(
          "The agent ended at once. It said:\n" + said(in: folder.logs + "/agent.out"))
      }
      if access(folder.socket, F_OK) == 0, HostLock.holder(path: folder.lock) == pid,
        let status = try? await HostClient(socket: folder.socket).request(
          .GET, "status", timeout: .seconds(10))
      {
        if status["ready"]?.bool == true { return status }
        answers = true
      }
      try await Task.sleep(for: pause)
    }
    let what = answers ? "is still starting" : "doesn't answer"
    throw Failure(
      "The agent was started with pid \(pid), and \(what) after "
        + "\(longestStart.components.seconds) seconds. It continues; \"agent status\" and \"agent "
        + "logs agent\" show its progress.")
  }

  /// How a host has ended.
  struct Stopped {
    let pid: Int32
    /// Set when it had to be killed, after this many seconds.
    let killedAfter: Int64?

    var wasKilled: Bool { killedAfter != nil }

    /// For people.
    var sentence: String {
      guard let killedAfter else { return "The agent with pid \(pid) has ended." }
      return
        "The agent with pid \(pid) didn't end within \(killedAfter) seconds and was killed. What "
        + "the agent had acknowledged is stored."
    }
  }

  /// How much longer than its own limit a host may take to end.
  private static let graceOfStop = Duration.seconds(5)

  /// Asks the host to end and waits until it has. One that doesn't end in its time is killed.
  static func stop(folder: AgentFolder) async throws -> Stopped {
    guard let pid = HostLock.holder(path: folder.lock) else {
      throw Failure("No agent runs in \(folder.path).", exit: .notRunning)
    }
    // The lock's holder is a host of this user's; a signal reaches it even when its API doesn't.
    guard kill(pid, SIGTERM) == 0 else {
      throw Failure(
        "The agent with pid \(pid) can't be ended: \(String(cString: strerror(errno))).")
    }
    let supervision = SettingsFile.load(folder).settings?.supervision ?? SupervisionSettings()
    let limit = Duration.milliseconds(supervision.hostStopLimitMs) + graceOfStop
    if try await hasEnded(pid, folder, within: limit) { return Stopped(pid: pid, killedAfter: nil) }
    _ = kill(pid, SIGKILL)
    guard try await hasEnded(pid, folder, within: graceOfStop) else {
      throw Failure(
        "The agent with pid \(pid) was killed, but the kernel can't end it yet. The resource that "
          + "it waits for, such as a disk or a network file system, must become available.")
    }
    return Stopped(pid: pid, killedAfter: limit.components.seconds)
  }

  private static func hasEnded(
    _ pid: Int32, _ folder: AgentFolder, within limit: Duration
  ) async throws -> Bool {
    let clock = ContinuousClock()
    let deadline = clock.now + limit
    // A host of another pid is one that somebody has started meanwhile.
    while HostLock.holder(path: folder.lock) == pid {
      if clock.now >= deadline { return false }
      try await Task.sleep(for: pause)
    }
    return true
  }

  private static func said(in file: String) -> String {
    guard let bytes = try? Files.read(file, most: 16 << 10) else { return "nothing" }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.split(separator: "\n").suffix(20).joined(separator: "\n")
  }
}
