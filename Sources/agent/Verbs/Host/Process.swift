internal import AgentJSON
internal import AgentModules
internal import AgentSettings
internal import ArgumentParser
internal import NIOHTTP1

/// The verbs for processes.
struct Process: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "process", abstract: "List, start, stop, enable, add and remove processes.",
    discussion: """
      start, stop and restart act on the running agent only; enable, disable, add and remove edit \
      settings.json, keep its layout, and apply the change at once if the agent \
      runs.

      Example: agent process list
      """,
    subcommands: [
      List.self, StartOne.self, StopOne.self, RestartOne.self, Enable.self, Disable.self,
      Add.self, Remove.self,
    ])

  /// Lists the processes of the running agent, or of the settings.
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the processes.",
      discussion: """
        If the agent isn't running, lists the processes in the settings.

        Example: agent process list --json
        """)
    @OptionGroup var common: CommonOptions

    func run() async throws {
      guard let host = try common.host() else {
        let settings = try SettingsEdit.load(common)
        // The first instance represents its pool, because all instances are alike and none runs
        // now.
        var pools: Set<String> = []
        let shown = settings.processes.filter {
          $0.pool.map { pools.insert($0).inserted } ?? true
        }
        let processes = shown.map { process -> JSONValue in
          [
            "name": .string(process.name), "type": .string(process.type),
            "module": .string(process.module.name), "enabled": .bool(process.enabled),
          ]
        }
        return common.show(["processes": .array(processes)]) { _ in
          Terminal.table(
            shown.map {
              let state = $0.pool.map { "pool \($0)" } ?? ($0.enabled ? "enabled" : "disabled")
              return [$0.name, state, "\($0.module.name)/\($0.type)"]
            })
        }
      }
      common.show(try await host.request(.GET, "status"), as: ProcessTable.text)
    }
  }

  /// Starts a process that is stopped or has failed.
  struct StartOne: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "start", abstract: "Start a process that is stopped or has failed.",
      discussion: """
        Example: agent process start machine
        """)
    @OptionGroup var common: CommonOptions
    @Argument(help: "The process.") var name: String
    func run() async throws { try await ProcessVerb.act("start", name, common: common) }
  }

  /// Stops a process.
  struct StopOne: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "stop", abstract: "Stop a process until it is started or the agent restarts.",
      discussion: """
        Example: agent process stop machine
        """)
    @OptionGroup var common: CommonOptions
    @Argument(help: "The process.") var name: String
    func run() async throws { try await ProcessVerb.act("stop", name, common: common) }
  }

  /// Restarts a process.
  struct RestartOne: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "restart", abstract: "Stop a process and start it again.",
      discussion: """
        Example: agent process restart machine
        """)
    @OptionGroup var common: CommonOptions
    @Argument(help: "The process.") var name: String
    func run() async throws { try await ProcessVerb.act("restart", name, common: common) }
  }

  /// Enables a process in the settings.
  struct Enable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "enable", abstract: "Enable a process in the settings.",
      discussion: """
        Example: agent process enable machine
        """)
    @OptionGroup var common: CommonOptions
    @Argument(help: "The process.") var name: String
    func run() async throws { try await SettingsEdit.apply(.enableProcess(name: name), common) }
  }

  /// Disables a process in the settings.
  struct Disable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "disable", abstract: "Disable a process in the settings.",
      discussion: """
        Example: agent process disable machine
        """)
    @OptionGroup var common: CommonOptions
    @Argument(help: "The process.") var name: String
    func run() async throws { try await SettingsEdit.apply(.disableProcess(name: name), common) }
  }

  /// Adds a process to the settings.
  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Add a process to the settings.",
      discussion: """
        Required fields get values from the schema's defaults and examples.

        Example: agent process add machine --type host_metrics
        """)
    @OptionGroup var common: CommonOptions
    @Argument(help: "The new process's name.") var name: String
    @Option(help: "A contribution of an enabled module, as NAME or MODULE/NAME.") var type: String
    func run() async throws {
      try await SettingsEdit.apply(.addProcess(name: name, type: type), common)
    }
  }

  /// Removes a process from the settings.
  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Remove a process from the settings.",
      discussion: """
        Example: agent process remove machine
        """)
    @OptionGroup var common: CommonOptions
    @Argument(help: "The process.") var name: String
    func run() async throws { try await SettingsEdit.apply(.removeProcess(name: name), common) }
  }
}

/// Acts on one process of the running host.
enum ProcessVerb {
  static func act(_ verb: String, _ name: String, common: CommonOptions) async throws {
    let path = "processes/\(HostClient.escaped(name))/\(verb)"
    let process = try await common.runningHost().request(.POST, path)
    common.show(process) { ProcessTable.text(["processes": [$0]]) }
  }
}
