internal import AgentAccess
internal import AgentDiagnostics
internal import AgentHost
internal import AgentLogging
internal import AgentNotifications
internal import AgentSettings
internal import AgentSystem
internal import Glibc
internal import Hummingbird
internal import HummingbirdCore
internal import HummingbirdTLS
internal import NIOCore
internal import NIOSSL
internal import ServiceLifecycle
internal import Synchronization

/// The open port, and the attempts to open it.
final class APIListener: Sendable {
  /// The settings of a port, and the state of the files that they name.
  struct Order: Equatable {
    let settings: HTTPSettings
    private let files: [FileMark?]

    init(_ settings: HTTPSettings) {
      self.settings = settings
      files = [settings.tls?.certificate, settings.tls?.key].map { $0.flatMap(FileMark.init) }
    }
  }

  /// The number of further ports that are tried when the default one is taken.
  private static let further = 99
  private static let pause = Duration.seconds(5)
  /// The number of quick attempts while the port is taken. It is often free in a moment: a host
  /// that was killed while it started a worker leaves its ports to that process until the process
  /// runs its program.
  private static let quickTries = 20
  private static let quickPause = Duration.milliseconds(50)
  /// How long open requests may continue when the port is closed for other settings.
  private static let patience = Duration.seconds(10)

  private enum Phase {
    case starting
    case open(ListenAddress)
    case failed(String)
  }

  private struct State {
    var phase = Phase.starting
    var task: Task<Void, Never>?
    var server: ServiceGroup?
    var port: (any Channel)?
    /// Why newer settings aren't in force. The port goes on with its own.
    var refusal: String?
  }

  let order: Order
  private let api: API
  private let host: HostApplication
  private let log: AccessLog
  private let state = Mutex(State())

  init(_ order: Order, _ api: API, host: HostApplication, log: AccessLog) {
    self.order = order
    self.api = api
    self.host = host
    self.log = log
  }

  private var settings: HTTPSettings { order.settings }

  /// Opens the port as soon as it is free. Returns at once.
  func start() {
    host.ports.show(APIPort.name) { [self] in report }
    let task = Task { await run() }
    state.withLock { $0.task = task }
  }

  /// Goes on although the settings want another port.
  /// - Parameter refusal: why that one can't be opened; nil when these are the settings again.
  func goesOn(despite refusal: String?) { state.withLock { $0.refusal = refusal } }

  /// Closes the port. Returns before open requests have ended. They get a grace period.
  func stop() async {
    let open = state.withLock { (task: $0.task, server: $0.server, port: $0.port) }
    let task = open.task
    let ending = Task {
      try? await Task.sleep(for: Self.patience)
      task?.cancel()
    }
    Task {
      await task?.value
      ending.cancel()
    }
    guard let server = open.server, let port = open.port else {
      task?.cancel()
      return await finish()
    }
    await server.triggerGracefulShutdown()
    _ = try? await port.closeFuture.get()
    retire()
  }

  /// Waits until the port is closed.
  func finish() async {
    await state.withLock { $0.task }?.value
    retire()
  }

  private func retire() {
    host.ports.show(APIPort.name, nil)
    host.ports.serves(at: nil)
  }

  private var report: ListenerReport {
    var report = ListenerReport(
      name: APIPort.name, address: settings.listen.description, state: .starting)
    let (phase, refusal) = state.withLock { ($0.phase, $0.refusal) }
    switch phase {
    case .starting: break
    case .open(let address):
      report.address = address.description
      report.state = .listening
      report.problem = refusal
    case .failed(let problem):
      report.state = .failed
      report.problem = problem
    }
    return report
  }

  private func run() async {
    var attempts = PortAttempts(
      from: settings.listen.port, further: settings.isUsualAddress ? Self.further : 0,
      quickTries: host.start.isAfterKilledHost || !settings.isUsualAddress ? Self.quickTries : 0)
    while !Task.isCancelled, !Task.isShuttingDownGracefully {
      do {
        try await serve(on: attempts.port)
        return
      } catch {
        if Task.isCancelled { return }
        switch attempts.failed(isTaken: Self.isTaken(error)) {
        case .soon: try? await Task.sleep(for: Self.quickPause)
        case .next: break
        case .later:
          failed(error)
          try? await Task.sleep(for: Self.pause)
        }
      }
    }
  }

  private func serve(on port: Int) async throws {
    let pipeline = RequestPipeline(
      api, host: host, listenerKind: .port(settings),
      log: settings.hasAccessLog ? log : nil)
    let application = Application(
      responder: pipeline, server: try server(),
      configuration: .init(
        address: .hostname(settings.listen.host, port: port), serverName: "Bulkhead",
        backlog: 1024,
        availableConnectionsDelegate: MaximumAvailableConnections(connections)),
      onServerRunning: { [self] channel in opened(channel, asked: port) },
      logger: host.logger)
    let server = ServiceGroup(
      configuration: .init(
        services: [
          .init(service: application, successTerminationBehavior: .gracefullyShutdownGroup)
        ],
        logger: host.logger))
    state.withLock { $0.server = server }
    try await server.run(withGraceOf: host)
  }

  private var connections: Int {
    ConnectionBudget(of: host.settings).api(of: settings.limits)
  }

  private func server() throws -> HTTPServerBuilder {
    let limits = settings.limits
    let budget = ConnectionBudget(of: host.settings)
    let shares = ConnectionShares(
      most: budget.perAddress(of: limits), remote: budget.remote(of: limits),
      exempt: settings.trustedProxies, closed: api.closed)
    let plain = HTTPServerBuilder { [readAhead = api.readAhead] responder in
      APIChannel(responder: responder, budget: readAhead) {
        [ConnectionShare(shares), ConnectionWatch(limits), ClientPresence()]
      }
    }
    guard let tls = settings.tls else { return plain }
    return try .tls(plain, tlsConfiguration: ServerIdentity(tls).configuration)
  }

  // MARK: What is said of it

  private func opened(_ channel: any Channel, asked port: Int) {
    let real = channel.localAddress?.port ?? port
    let address = ListenAddress(host: settings.listen.host, port: real)
    state.withLock { ($0.phase, $0.port) = (.open(address), channel) }
    let scheme = settings.tls == nil ? "http" : "https"
    host.ports.serves(at: settings.baseURL ?? "\(scheme)://\(address)")
    if settings.isUsualAddress, real != settings.listen.port {
      host.log.log(
        .notice,
        "The API listens on \(scheme)://\(address). The default port \(settings.listen.port) is "
          + "taken."
      )
    } else {
      host.log.log(.notice, "The API listens on \(scheme)://\(address).")
    }
    if connections < settings.limits.connections {
      host.log.log(
        .notice,
        "The API takes at most \(connections) connections at a time, fewer than "
          + "http.limits.connections: this process may have \(DescriptorLimit.current) files open. "
          + "Raise it by LimitNOFILE= in the unit or ulimit -n.")
    }
    if settings.allowsLocalWithoutToken {
      host.log.log(
        .warning,
        "http.allow_local_without_token is on. Every program on this machine may do everything "
          + "with this agent.")
    }
  }

  private func failed(_ error: any Error) {
    let reason =
      Self.isTaken(error)
      ? "another program has the port \(settings.listen.port)." : "\(error)."
    let problem = "The API's port \(settings.listen) can't be opened: \(reason)"
    let isNews = state.withLock { state in
      if case .failed(problem) = state.phase { return false }
      state.phase = .failed(problem)
      return true
    }
    if isNews { host.log.log(.error, "\(problem) The host retries.") }
  }

  private static func isTaken(_ error: any Error) -> Bool {
    (error as? IOError)?.errnoCode == EADDRINUSE
  }
}

/// The state of a file. A replaced certificate makes a new order.
private struct FileMark: Equatable {
  let size: Int
  let seconds: Int
  let nanoseconds: Int

  init?(_ path: String) {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return nil }
    (size, seconds) = (Int(facts.st_size), facts.st_mtim.tv_sec)
    nanoseconds = facts.st_mtim.tv_nsec
  }
}
