internal import AgentLibraryMetrics
internal import AgentModules
internal import AgentRuntime
internal import AgentSettings
internal import AgentWeb
internal import ArgumentParser
internal import Glibc
internal import Logging
internal import ServiceLifecycle
internal import UnixSignals

/// Runs the agent in the foreground.
struct Run: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run the agent in the foreground; its log is printed.",
    discussion: """
      Modules that aren't built yet, or whose sources are newer, are built first. SIGINT or \
      SIGTERM ends it, SIGHUP reads the settings anew. Exit codes: 0 it was ended, \
      1 the settings are wrong or it could not start.

      Example: agent run --settings settings.json
      """)

  @Option(help: "The settings file; without it, settings.json of the current folder.")
  var settings: String?

  @Flag(help: .hidden) var daemon = false

  func run() async throws {
    let folder: AgentFolder
    do {
      folder = try AgentFolder.locate(settings: settings)
    } catch {
      throw Failure(error.description)
    }
    if !daemon { ModulesBuild.prepare(folder) }
    let host: AgentHost
    do {
      host = try AgentHost(
        folder: folder,
        options: .init(
          logsToTerminal: !daemon, colours: Terminal.errorHasColours,
          traceTransport: TraceClient()))
    } catch {
      throw Failure(error.fullText)
    }
    RegistryMetricsFactory.bootstrap(host.metrics)
    let logger = host.logger
    let api = API(host)
    let server = ManagementServer(api, host: host, path: folder.socket, logger: logger)
    let group = ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: [
          .init(
            service: host, successTerminationBehavior: .gracefullyShutdownGroup,
            failureTerminationBehavior: .gracefullyShutdownGroup),
          .init(service: server, failureTerminationBehavior: .gracefullyShutdownGroup),
          .init(service: EventPort(host: host)),
          .init(
            service: APIPort(api, host: host), failureTerminationBehavior: .gracefullyShutdownGroup),
        ],
        gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
    do {
      try await group.run()
    } catch let error as HostError {
      host.log.flush()
      throw Failure(error.message)
    } catch {
      host.log.flush()
      throw Failure("The agent ended: \(error)")
    }
    host.log.flush()
  }
}
