internal import AgentJSON
internal import AgentSettings
internal import AgentSystem
internal import ArgumentParser
internal import Glibc

/// Makes the agent a service of systemd.
struct Service: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "service", abstract: "Install the agent as a systemd service, or remove it.",
    discussion: """
      Uses a user unit unless --system is given. The service notifies systemd when it is ready, \
      answers its watchdog and logs to the journal.

      Example: agent service status
      """,
    subcommands: [Install.self, Remove.self, Show.self])

  /// Writes the unit and enables it.
  struct Install: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "install", abstract: "Write the unit, enable it and start it.",
      discussion: """
        If systemd isn't running, only the unit is written, and a message says so.

        Example: agent service install
        """)
    @OptionGroup var common: CommonOptions
    @Flag(help: "Use a system unit; needs root.") var system = false
    func run() throws {
      let unit = try SystemdUnit(common.folder(), system: system)
      try unit.write()
      let started = unit.control(["daemon-reload"]) && unit.control(["enable", "--now", unit.name])
      common.show(["unit": .string(unit.path), "started": .bool(started)]) { _ in
        started
          ? "\(unit.name) is installed and runs."
          : "\(unit.path) is written. systemd isn't running here. Where it is, run: \(unit.hint)"
      }
    }
  }

  /// Stops the service and removes the unit.
  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Stop the service and remove its unit.",
      discussion: """
        Example: agent service remove
        """)
    @OptionGroup var common: CommonOptions
    @Flag(help: "Use a system unit; needs root.") var system = false
    func run() throws {
      let unit = try SystemdUnit(common.folder(), system: system)
      _ = unit.control(["disable", "--now", unit.name])
      guard unlink(unit.path) == 0 else {
        throw Failure(
          "\(unit.path) can't be removed: \(SystemError.text(errno)).",
          exit: errno == ENOENT ? .notFound : .failure)
      }
      _ = unit.control(["daemon-reload"])
      common.show(["removed": .string(unit.path)]) { _ in "\(unit.path) is removed." }
    }
  }

  /// Shows whether the unit is installed and running.
  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "status", abstract: "Report whether the unit is installed and runs.",
      discussion: """
        Exit codes: 0 the unit is installed, 4 it isn't.

        Example: agent service status --system
        """)
    @OptionGroup var common: CommonOptions
    @Flag(help: "Use a system unit; needs root.") var system = false
    func run() throws {
      let unit = try SystemdUnit(common.folder(), system: system)
      let isThere = access(unit.path, F_OK) == 0
      let runs = isThere && unit.control(["is-active", "--quiet", unit.name])
      common.show(["unit": .string(unit.path), "installed": .bool(isThere), "active": .bool(runs)])
      { _ in
        isThere ? "\(unit.name) is installed\(runs ? " and runs" : "")." : ""
      }
      guard isThere else {
        throw Failure(
          "\(unit.path) doesn't exist. Create it: agent service install", exit: .notFound)
      }
    }
  }
}
