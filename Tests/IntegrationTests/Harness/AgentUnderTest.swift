import AgentJSON
import Glibc
import Synchronization
import Testing

/// An agent in a folder of its own, with `agent run` as a real process.
///
/// Everything that it starts is ended with it: the host by SIGTERM, and by SIGKILL when that isn't
/// enough. A worker that is left then is a failure.
final class AgentUnderTest: Sendable {
  let folder: TemporaryFolder
  private let host = Mutex<Child?>(nil)
  private let commands = Atomic(0)

  private init() throws { folder = try TemporaryFolder() }

  /// Runs a test with an agent that isn't started yet.
  static func with(_ body: (AgentUnderTest) async throws -> Void) async throws {
    try await Slots.agents.run {
      let agent = try AgentUnderTest()
      do {
        try await body(agent)
      } catch {
        let (log, state) = (agent.said, agent.hostState)
        await agent.clear()
        throw HarnessError("\(error)\n--- the host \(state), and said:\n\(log.suffix(6000))")
      }
      await agent.clear()
      let left = try await agent.leftovers()
      #expect(left == [], "processes of the agent are left")
    }
  }

  // MARK: The host

  /// The pid of the host that was started last.
  var pid: pid_t { host.withLock { $0?.pid ?? -1 } }

  private var hostState: String {
    host.withLock { $0?.status().map { "had ended with \($0)" } ?? "ran" }
  }

  /// What the host has written to its terminal.
  var said: String { host.withLock { $0?.said ?? "" } }

  /// Starts `agent run` and waits until it says that it runs, and every process has left the state
  /// that it starts in.
  func run(_ arguments: [String] = [], variables: [String: String] = [:]) async throws {
    let child = try spawn(
      ["run"] + arguments, output: "run-\(nextNumber()).out", variables: variables)
    host.withLock { $0 = child }
    _ = try await eventually("the host runs", said: { child.said }) {
      if let status = child.status() { throw HarnessError("The host ended with \(status).") }
      return child.said.contains(" runs in \(folder.path)") ? true : nil
    }
    _ = try await status("every process is settled") { status in
      status.processes.allSatisfy { !["STARTING", "STOPPED"].contains($0.state) }
    }
  }

  /// Sends the host a signal.
  func signal(_ signal: Int32) { host.withLock { $0?.signal(signal) } }

  /// Waits for the host's end; its status.
  func ended() async throws -> Int32? {
    guard let child = host.withLock({ $0 }) else { return nil }
    return try await child.finished().status
  }

  // MARK: Commands

  /// Runs `agent` with these arguments in the agent's folder.
  func agent(_ arguments: String..., variables: [String: String] = [:]) async throws
    -> Child.Finished
  {
    try await agent(arguments, variables: variables)
  }

  func agent(_ arguments: [String], variables: [String: String] = [:]) async throws
    -> Child.Finished
  {
    try await background(arguments, variables: variables).finished()
  }

  /// Runs `agent` with a file of its folder as standard input.
  func piping(_ file: String, into arguments: [String]) async throws -> Child.Finished {
    let number = nextNumber()
    return try await spawn(
      arguments, output: "command-\(number).out", errors: "command-\(number).err",
      input: "\(folder.path)/\(file)"
    ).finished()
  }

  /// Runs `agent`, and reads what it prints as JSON.
  func json(_ arguments: String...) async throws -> (status: Int32, value: JSONValue) {
    try await json(arguments)
  }

  func json(_ arguments: [String]) async throws -> (status: Int32, value: JSONValue) {
    let finished = try await agent(arguments + ["--json"])
    guard let value = try? JSONValue(parsing: finished.output) else {
      throw HarnessError("\(arguments) printed no JSON: \(finished.output)\(finished.errors)")
    }
    return (finished.status, value)
  }

  /// Starts `agent` and lets it run.
  func background(_ arguments: [String], variables: [String: String] = [:]) throws -> Child {
    let number = nextNumber()
    return try spawn(
      arguments, output: "command-\(number).out", errors: "command-\(number).err",
      variables: variables)
  }

  private func nextNumber() -> Int { commands.add(1, ordering: .relaxed).newValue }

  private func spawn(
    _ arguments: [String], output: String, errors: String? = nil, variables: [String: String] = [:],
    input: String = "/dev/null"
  ) throws -> Child {
    try folder.write("output/.keep", "")
    return try Child(
      [Places.agent] + arguments, in: folder.path,
      environment: environment.merging(variables) { $1 },
      output: "\(folder.path)/output/\(output)",
      errors: "\(folder.path)/output/\(errors ?? output)", input: input)
  }

  /// The few variables that a command needs, and none of the test's own.
  var environment: [String: String] {
    var variables = [
      "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "\(folder.path)/home", "LANG": "C.UTF-8",
      "AGENT_SDK": "\(Places.repository)/SDK",
    ]
    for name in ["PATH", "LD_LIBRARY_PATH"] {
      if let value = getenv(name) { variables[name] = String(cString: value) }
    }
    return variables
  }

  // MARK: The API

  var client: ManagementClient { ManagementClient(socket: "\(folder.path)/.agent/agent.sock") }

  /// Waits for a state of the whole agent.
  @discardableResult func status(
    _ what: String, within limit: Duration = .longest, _ isSo: (AgentStatus) -> Bool
  ) async throws -> AgentStatus {
    var latest: JSONValue = .null
    return try await eventually(what, within: limit, said: { latest.text(pretty: true) }) {
      guard let reply = try? await client.send("GET", "status") else { return nil }
      latest = reply.body
      let status = AgentStatus(json: reply.body)
      return isSo(status) ? status : nil
    }
  }

  /// Waits for a state of one process.
  @discardableResult func process(
    _ name: String, _ what: String, within limit: Duration = .longest,
    isSo: (ProcessStatus) -> Bool
  ) async throws -> ProcessStatus {
    let status = try await status("\(name) \(what)", within: limit) { status in
      status[name].map(isSo) ?? false
    }
    return try #require(status[name])
  }

  /// The events that match a query, oldest first.
  func events(_ query: String) async throws -> [JSONValue] {
    let reply = try await client.send("GET", "events?limit=10000&query=\(query)")
    guard let events = reply.body["events"]?.array else { throw HarnessError(reply.error) }
    return events
  }

  // MARK: The end

  private func clear() async {
    endDaemon()
    guard let child = host.withLock({ $0 }) else { return }
    child.signal(SIGTERM)
    if (try? await child.finished(within: .longest)) == nil {
      Issue.record("The host didn't end by SIGTERM.\n\(child.said.suffix(4000))")
      child.signal(SIGKILL)
      _ = try? await child.finished()
    }
  }

  /// Ends a host that `agent start` made here and that a failed test has left.
  private func endDaemon() {
    guard let pid = pid_t((try? folder.text(".agent/lock"))?.split(separator: "\n").first ?? ""),
      pid != self.pid, realpath("/proc/\(pid)/cwd", nil).map({ String(cString: $0) }) == folder.path
    else { return }
    kill(pid, SIGKILL)
  }

  /// What is left of the agent's workers once they had a moment to end.
  private func leftovers() async throws -> [pid_t] {
    do {
      return try await eventually("no worker is left", within: .longest) {
        let left = ProcessTable.pids(with: "AGENT_WORKER_OF=\(folder.path)")
        return left.isEmpty ? left : nil
      }
    } catch {
      let left = ProcessTable.pids(with: "AGENT_WORKER_OF=\(folder.path)")
      for pid in left { kill(pid, SIGKILL) }
      return left
    }
  }
}
