internal import AgentDiagnostics
internal import AgentJSON
internal import AgentModules
internal import AgentHost
internal import AgentSettings
internal import AgentSystem
internal import AgentWorkers
internal import Glibc
internal import NIOCore
internal import NIOHTTP1

/// Starts and stops a host in the background, and waits for it.
enum Daemon {
  /// A host that was started.
  struct Spawned {
    let pid: pid_t
    /// Says why the host couldn't start, if it couldn't.
    let report: StartReport.Reader
  }

  /// Starts `agent run` in a session of its own, with its output in `.agent/logs/agent.out`.
  static func spawn(
    settings: String?, folder: AgentFolder, isSafe: Bool = false
  ) throws -> Spawned {
    do {
      try folder.prepare()
    } catch {
      throw Failure(error.description)
    }
    let report = try StartReport.Reader()
    // Opened here: a start without the file, which a full disk may refuse, is better than none.
    let file = open(
      folder.logs + "/agent.out", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o600)
    let output = file >= 0 ? file : open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer { close(output) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_adddup2(&actions, output, 2)
    // Last: it may have the number of one of those above.
    posix_spawn_file_actions_adddup2(&actions, report.writer, StartReport.descriptor)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // POSIX_SPAWN_SETSID. Glibc declares it for GNU programs only.
    posix_spawnattr_setflags(&attributes, 0x80)
    var words = ["agent", "run", "--daemon"]
    if let settings { words += ["--settings", settings] }
    if isSafe { words.append("--safe") }
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var pid: pid_t = 0
    let result = posix_spawn(
      &pid, "/proc/self/exe", &actions, &attributes, &arguments, environ)
    report.closeWriter()
    guard result == 0 else {
      throw Failure("The agent can't be started: \(SystemError.text(result)).")
    }
    return Spawned(pid: pid, report: report)
  }

  /// How long a host may take that answers and isn't ready. Its processes may need a minute.
  private static let longestStart = Duration.seconds(75)
  private static let pause = Duration.milliseconds(50)

  /// Waits until the host is ready. Throws if it ends before or takes too long.
  static func awaitReady(_ spawned: Spawned, folder: AgentFolder) async throws -> JSONValue {
    let pid = spawned.pid
    var obstacle: String?
    let clock = ContinuousClock()
    let deadline = clock.now + longestStart
    var answers = false
    while clock.now < deadline {
      var status: Int32 = 0
      if waitpid(pid, &status, WNOHANG) == pid {
        throw Failure("The agent ended at once. It said:\n" + said(by: spawned, in: folder))
      }
      // The lock's holder is compared, because the socket may belong to another host.
      if access(folder.socket, F_OK) == 0, HostLock.holder(path: folder.lock) == pid,
        let status = try? await HostClient(socket: folder.socket, connectsAgain: false).request(
          .GET, "status", timeout: .seconds(10))
      {
        if status["ready"]?.bool == true { return status }
        answers = true
        // Once, and not at the end of the wait only: on a full disk it lasts until there is room.
        let problem = status["database"]?["problem"]?.string
        if let problem, obstacle == nil { Terminal.remark("Nothing can be stored: \(problem)") }
        obstacle = obstacle ?? problem
      }
      try await Task.sleep(for: pause)
    }
    let what = answers ? "is still starting" : "doesn't answer"
    throw Failure(
      "The agent was started with pid \(pid), and \(what) after "
        + "\(longestStart.components.seconds) seconds. It continues; \"agent status\" and \"agent "
        + "logs agent\" show its progress.")
  }

  /// The end of a host.
  struct Stopped {
    let pid: Int32
    /// The seconds after which it was killed. Nil means that it ended by itself.
    let killedAfter: Int64?

    var wasKilled: Bool { killedAfter != nil }

    /// The end as a sentence.
    var sentence: String {
      guard let killedAfter else { return "The agent with pid \(pid) has ended." }
      return
        "The agent with pid \(pid) didn't end within \(killedAfter) seconds and was killed. What "
        + "the agent had acknowledged is stored."
    }
  }

  /// The time that a host may take beyond its own limit.
  private static let graceOfStop = Duration.seconds(5)

  /// Asks the host to stop and waits for its end. A host that exceeds its limit is killed.
  static func stop(folder: AgentFolder) async throws -> Stopped {
    guard let pid = HostLock.holder(path: folder.lock) else {
      throw Failure("No agent runs in \(folder.path).", exit: .notRunning)
    }
    // The holder of the lock is a host of this user. A signal reaches it even if its API doesn't
    // answer.
    guard kill(pid, SIGTERM) == 0 else {
      throw Failure(
        "The agent with pid \(pid) can't be ended: \(SystemError.text(errno)).")
    }
    let supervision = await supervision(of: folder)
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

  /// The limits of the settings; the defaults if they can't be read in time.
  private static func supervision(of folder: AgentFolder) async -> SupervisionSettings {
    let result = try? await FileDeadline.run(or: "", for: "stop", within: graceOfStop) {
      SettingsFile.load(folder)
    }
    return result?.settings?.supervision ?? SupervisionSettings()
  }

  private static func hasEnded(
    _ pid: Int32, _ folder: AgentFolder, within limit: Duration
  ) async throws -> Bool {
    let clock = ContinuousClock()
    let deadline = clock.now + limit
    // Another pid in the lock means that a new host was started.
    while HostLock.holder(path: folder.lock) == pid {
      if clock.now >= deadline { return false }
      try await Task.sleep(for: pause)
    }
    return true
  }

  /// The last lines of a host that has ended.
  private static func said(by host: Spawned, in folder: AgentFolder) -> String {
    let bytes = (try? Files.read(folder.logs + "/agent.out", most: 16 << 10)) ?? []
    let written = lastLines(of: String(decoding: bytes, as: UTF8.self))
    let report = lastLines(of: host.report.text ?? "")
    // The file has the report too, unless its disk is full.
    let lines = report.isEmpty || written.contains(report) ? [written] : [written, report]
    let text = lines.filter { !$0.isEmpty }.joined(separator: "\n")
    return text.isEmpty ? "nothing" : text
  }

  private static func lastLines(of text: String) -> String {
    text.split(separator: "\n").suffix(20).joined(separator: "\n")
  }
}
