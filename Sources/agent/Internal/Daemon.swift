internal import AgentJSON
internal import AgentModules
internal import AgentRuntime
internal import AgentSettings
internal import Glibc
internal import NIOHTTP1

/// A host in the background: how it is started, awaited and ended.
enum Daemon {
  /// Starts `agent run` in a session of its own, with its output in `.agent/logs/agent.out`.
  static func spawn(settings: String?, folder: AgentFolder) throws -> pid_t {
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

  /// Waits until the host answers; says why when it ends before that.
  static func awaitReady(folder: AgentFolder, pid: pid_t) async throws -> JSONValue {
    for _ in 0..<600 {
      var status: Int32 = 0
      if waitpid(pid, &status, WNOHANG) == pid {
        throw Failure(
          "The agent ended at once. It said:\n" + said(in: folder.logs + "/agent.out"))
      }
      if access(folder.socket, F_OK) == 0, HostLock.holder(path: folder.lock) == pid,
        let status = try? await Management(socket: folder.socket).request(.GET, "status"),
        status["ready"]?.bool == true
      {
        return status
      }
      try await Task.sleep(for: .milliseconds(50))
    }
    throw Failure("The agent was started with pid \(pid), but doesn't answer after 30 seconds.")
  }

  /// Asks the host to end and waits until it has.
  static func stop(folder: AgentFolder) async throws -> Int32 {
    guard let pid = HostLock.holder(path: folder.lock) else {
      throw Failure("No agent runs in \(folder.path).", exit: .notRunning)
    }
    // The lock's holder is a host of this user's; a signal reaches it even when its API doesn't.
    guard kill(pid, SIGTERM) == 0 else {
      throw Failure(
        "The agent with pid \(pid) can't be ended: \(String(cString: strerror(errno))).")
    }
    for _ in 0..<1200 {
      if HostLock.holder(path: folder.lock) == nil { return pid }
      try await Task.sleep(for: .milliseconds(50))
    }
    throw Failure("The agent with pid \(pid) hasn't ended after 60 seconds.")
  }

  private static func said(in file: String) -> String {
    guard let bytes = try? Files.read(file, most: 16 << 10) else { return "nothing" }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.split(separator: "\n").suffix(20).joined(separator: "\n")
  }
}
