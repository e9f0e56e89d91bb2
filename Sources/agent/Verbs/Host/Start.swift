internal import AgentDiagnostics
internal import AgentJSON
internal import AgentModules
internal import AgentHost
internal import AgentSettings
internal import AgentWorkers
internal import ArgumentParser

/// Starts the agent as a daemon.
struct Start: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "start", abstract: "Start the agent in the background.",
    discussion: """
      Returns once it runs, or says why it doesn't. Its log is in .agent/logs. With --safe only \
      the API and the command line work, for repairs.

      Example: agent start
      """)

  @OptionGroup var common: CommonOptions

  @Flag(help: "Safe mode: only the API and the command line; no module, task or schedule runs.")
  var safe = false

  func run() async throws {
    let folder = try common.folder()
    if let pid = HostLock.holder(path: folder.lock) {
      throw Failure("The agent already runs, with pid \(pid).")
    }
    if !safe { try await prepare(folder) }
    let spawned = try Daemon.spawn(settings: common.settings, folder: folder, isSafe: safe)
    let status = try await Daemon.awaitReady(spawned, folder: folder)
    common.show(status) { status in
      let mode = SafeModeLine.isOn(status) ? " in safe mode" : ""
      return "The agent runs\(mode), with pid \(spawned.pid). \"agent status\" shows it."
    }
    Self.reportSetup(folder, url: status["url"]?.string)
  }

  /// Refuses settings with errors, unless the host would start in safe mode, and builds modules.
  private func prepare(_ folder: AgentFolder) async throws {
    let record = StartJournal(folder: folder).record
    // What ended the last host would end this command.
    if record.hasDiedReading { return }
    let result = try await read(folder)
    let isWrong = result.settings == nil
    // The host will be in safe mode, and a build may be what ended the others.
    if record.isLoop(after: result.safeModeAfter, settingsAreWrong: isWrong) { return }
    if !isWrong {
      if let catalog = result.catalog { await ModulesBuild.prepare(catalog) }
      return
    }
    for problem in result.problems { Terminal.remark(problem.description) }
    throw Failure(
      "The settings are wrong; nothing was started. \"agent start --safe\" starts without them.")
  }

  private func read(_ folder: AgentFolder) async throws -> SettingsResult {
    do {
      return try await FileDeadline.run(or: "Nothing was started", for: "start") {
        SettingsFile.load(folder, options: .init(strict: true))
      }
    } catch {
      throw Failure("\(error.message) \"agent start --safe\" starts without them.")
    }
  }
}

extension Start {
  /// Shows how the first user is created if there is none. The secret is shown only on a terminal.
  fileprivate static func reportSetup(_ folder: AgentFolder, url: String?) {
    guard let bytes = try? Files.read(folder.setupSecret, most: 200) else { return }
    let secret = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
    guard Terminal.isErrorSeen, let url, !secret.isEmpty else {
      return Terminal.remark(
        "There is no user yet. Create one: agent user add NAME --role administrator")
    }
    Terminal.remark(
      "There is no user yet. This link creates the first administrator, once:\n  "
        + "\(url)/setup#\(secret)")
  }
}

/// Stops the agent.
struct Stop: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop", abstract: "Stop the agent, its workers first.",
    discussion: """
      Returns once it has ended. Waiting clients are notified. Requests in progress \
      have five seconds. A host that doesn't end in time is killed: after the limits \
      for workers in the settings plus 35 seconds.

      Example: agent stop
      """)

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let folder = try common.folder()
    let stopped = try await Daemon.stop(folder: folder)
    common.show(["stopped": true, "killed": .bool(stopped.wasKilled)]) { _ in stopped.sentence }
  }
}

/// Stops the agent and starts it again.
struct Restart: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restart", abstract: "Stop the agent and start it again in the background.",
    discussion: """
      Example: agent restart
      """)

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let folder = try common.folder()
    if HostLock.holder(path: folder.lock) != nil {
      let stopped = try await Daemon.stop(folder: folder)
      if stopped.wasKilled { Terminal.remark(stopped.sentence) }
    }
    var start = Start()
    start.common = common
    start.safe = false
    try await start.run()
  }
}
