internal import AgentDiagnostics
internal import AgentHost
internal import AgentJSON
internal import AgentSystem
internal import AgentWorkers
internal import ArgumentParser
internal import NIOHTTP1

/// Shows the host and its processes.
struct Status: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show the agent and its processes.",
    discussion: """
      One line per process: name, state, pid, uptime, restarts, last exit. Then the ports in the \
      settings, the database's problem if nothing can be stored, and a change of the \
      settings in progress. In safe mode, which earlier starts failed, and where. Exit \
      codes: 0 every enabled process runs, every port is open and the database takes writes, 1 one \
      doesn't, or the agent is in safe mode, 3 the agent isn't running.

      Example: agent status --json
      """)

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let status = try await common.runningHost().request(.GET, "status")
    common.show(status) {
      SafeModeLine.text($0) + ProcessTable.text($0) + ListenerTable.text($0)
        + DatabaseLine.text($0) + ChangeLine.text($0)
    }
    let isFine =
      (status["processes"]?.array ?? []).allSatisfy(ProcessTable.isFine)
      && (status["listeners"]?.array ?? []).allSatisfy(ListenerTable.isFine)
      && DatabaseLine.isFine(status) && !SafeModeLine.isOn(status)
    if !isFine { throw Failure.alreadySaid }
  }
}

/// Processes as text for people.
enum ProcessTable {
  static func text(_ status: JSONValue) -> String {
    let processes = status["processes"]?.array ?? []
    if processes.isEmpty {
      return "The agent runs with pid \(status["pid"]?.int ?? 0); no process is configured."
    }
    return Terminal.table(processes.map(row))
      + processes.compactMap(reason).map { "\n" + $0 }.joined()
  }

  /// Returns whether an enabled process runs or has finished.
  static func isFine(_ process: JSONValue) -> Bool {
    process["enabled"]?.bool != true
      || process["state"]?.string.flatMap(ProcessState.init)?.isFine == true
  }

  private static func row(_ process: JSONValue) -> [String] {
    let state = process["state"]?.string ?? "?"
    let uptime = process["started_at"]?.int.map(Terminal.span(since:))
    return [
      process["name"]?.string ?? "?", state, process["pid"]?.int.map(String.init) ?? "-",
      uptime ?? "-", "\(process["restarts"]?.int ?? 0)",
      process["last_exit"]?.string ?? "-",
    ]
  }

  private static func reason(_ process: JSONValue) -> String? {
    guard !isFine(process), let reason = process["reason"]?.string,
      let name = process["name"]?.string
    else { return nil }
    return Terminal.styled("\(name): \(reason)", .bad)
  }
}

/// The host's ports as text for people.
enum ListenerTable {
  static func text(_ status: JSONValue) -> String {
    (status["listeners"]?.array ?? []).map { "\n" + line($0) }.joined()
  }

  /// Returns whether a port is open.
  static func isFine(_ listener: JSONValue) -> Bool {
    listener["state"]?.string == ListenerState.listening.rawValue
  }

  private static func line(_ listener: JSONValue) -> String {
    func word(_ key: String) -> String { listener[key]?.string ?? "?" }
    func number(_ key: String) -> Int { listener[key]?.int ?? 0 }
    let line = "\(word("name"))  \(word("state"))  \(word("address"))"
    guard isFine(listener) else {
      let problem = listener["problem"]?.string.map { ": \($0)" } ?? ""
      return Terminal.styled(line + problem, .bad)
    }
    if word("name") == "http" { return line }
    return line + "  \(number("connections")) connected, \(number("accepted")) events, "
      + "\(number("refused")) refused"
  }
}

/// The problem of the database as text for people. It is empty if there is none.
enum DatabaseLine {
  static func text(_ status: JSONValue) -> String {
    guard !isFine(status) else { return "" }
    let database = status["database"]
    let since = database?["since"]?.int.map { " for \(Terminal.span(since: $0))" }
    let line = "database: \(database?["state"]?.string ?? "?")\(since ?? "")"
    return "\n" + Terminal.styled(line + ": \(database?["problem"]?.string ?? "")", .bad)
  }

  /// Returns whether the database has no problem. Opening it is no problem.
  static func isFine(_ status: JSONValue) -> Bool {
    status["database"]?["problem"]?.string == nil
  }
}

/// The safe mode as text for people. It is empty in normal mode.
enum SafeModeLine {
  static func text(_ status: JSONValue) -> String {
    guard isOn(status), let reason = status["safe_mode"]?["reason"]?.string else { return "" }
    let causes = (status["safe_mode"]?["causes"]?.array ?? []).compactMap(\.string)
    let lines =
      ["SAFE MODE: no module, task, schedule or notification runs. \(reason)"]
      + causes.prefix(3).map { "  \($0)" }
      + ["  Repair or disable the causes, then run: agent restart"]
    return Terminal.styled(lines.joined(separator: "\n"), .bad) + "\n"
  }

  /// Returns whether the host runs in safe mode.
  static func isOn(_ status: JSONValue) -> Bool { status["safe_mode"]?.object != nil }
}

/// A change of the settings in progress, as text for people.
enum ChangeLine {
  static func text(_ status: JSONValue) -> String {
    guard let change = status["change"], let what = change["what"]?.string,
      let since = change["since"]?.int
    else { return "" }
    return "\nchange: \(what) has been under way for \(Terminal.span(since: since))"
  }
}
