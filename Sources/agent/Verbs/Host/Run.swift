internal import AgentDiagnostics
internal import AgentHost
internal import AgentLibraryMetrics
internal import AgentLogging
internal import AgentModules
internal import AgentSettings
internal import AgentSystem
internal import AgentWeb
internal import AgentWorkers
internal import ArgumentParser
internal import Glibc
internal import Logging
internal import ServiceLifecycle

/// Runs the agent in the foreground.
struct Run: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run the agent in the foreground and print its log.",
    discussion: """
      Modules that aren't built, or whose sources are newer, are built first. SIGINT or \
      SIGTERM stops the agent, SIGHUP reloads the settings. A host that ended three times in a row \
      within a minute of its start, without a request, starts in safe mode: the API and the \
      command line, and nothing else; "agent doctor" shows what ran then. Exit codes: 0 it was \
      stopped, 1 the settings are wrong, it could not start, or it took too long to stop.

      Example: agent run --settings settings.json
      """)

  @Option(help: "The settings file; by default, settings.json in the current folder.")
  var settings: String?

  @Flag(help: "Safe mode: only the API and the command line; no module, task or schedule runs.")
  var safe = false

  @Flag(help: .hidden) var daemon = false

  func run() async throws {
    // First, before anything else is opened.
    let report = daemon ? StartReport() : nil
    do {
      try await serve()
    } catch let failure as Failure {
      report?.send(failure.message)
      throw failure
    }
  }

  private func serve() async throws {
    // Before the start is recorded: a request to stop clears the record.
    let requests = await StopRequests()
    let extending = ServiceNotifier().extendStart()
    defer { extending.cancel() }
    let folder: AgentFolder
    do {
      folder = try AgentFolder.locate(settings: settings)
    } catch {
      throw Failure(error.description)
    }
    DescriptorLimit.raise()
    let host: HostApplication
    do {
      let opening = try await HostOpening(
        folder, isSafe: safe, begins: { requests.clear($0) })
      // The command that starts a daemon has built them, where its user sees it.
      if !daemon, opening.safeMode == nil, let catalog = opening.catalog {
        await ModulesBuild.prepare(catalog) { opening.journal.enter($0) }
      }
      host = try HostApplication(
        opening,
        options: .init(
          logsToTerminal: !daemon, colors: Terminal.errorHasColors,
          traceTransport: TraceClient()))
    } catch {
      throw Failure(error.fullText)
    }
    RegistryMetricsFactory.bootstrap(host.metrics)
    let logger = host.logger
    let api: API
    do {
      api = try API(host)
    } catch {
      throw Failure(error.message)
    }
    let server = ManagementServer(api, host: host, path: folder.socket, logger: logger)
    _ = host.lifecycle.whenEnding {
      StopLimit.begin(milliseconds: host.settings.supervision.hostStopLimitMs)
    }
    func inTurn(
      _ service: any ServiceLifecycle.Service
    ) -> ServiceGroupConfiguration.ServiceConfiguration {
      .init(
        service: ServiceInTurn(service) { requests.request() },
        failureTerminationBehavior: .gracefullyShutdownGroup)
    }
    var services = [inTurn(host), inTurn(server)]
    if host.start.safeMode == nil { services.append(inTurn(EventPort(api, host: host))) }
    services.append(inTurn(APIPort(api, host: host)))
    // This service is the last, because a group stops its last service first.
    services.append(.init(service: StopAnnouncer(host: host)))
    let group = ServiceGroup(
      configuration: ServiceGroupConfiguration(services: services, logger: logger))
    requests.end(group)
    // The host asks for more time itself.
    extending.cancel()
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
    // What is still under way then, such as a migration, isn't to be waited for, and not to be
    // disturbed by what a process does when it ends in good order.
    if host.lifecycle.isAbandoned { _exit(0) }
  }
}
