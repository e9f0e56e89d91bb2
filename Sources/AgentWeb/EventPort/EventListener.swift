internal import AgentEvents
internal import AgentHost
internal import AgentLogging
internal import AgentSettings
internal import Glibc
internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// One open event port, its clients, and the number of events from them.
final class EventListener: Sendable {
  /// The time between two attempts to open the port.
  private static let pause = Duration.seconds(5)
  /// The number of quick attempts while the port is taken. It is often free in a moment: a host
  /// that was killed while it started a worker leaves its ports to that process until the process
  /// runs its program.
  private static let quickTries = 20
  private static let quickPause = Duration.milliseconds(50)
  /// How long the port waits for clients whose events are still being stored.
  private static let patience = Duration.seconds(5)

  private typealias Server = NIOAsyncChannel<EventConnection.Client, Never>

  let settings: EventPortSettings
  private let host: HostApplication
  private let budget: ReadAheadBudget
  private let closed: EndedConnections
  private let state = Mutex(EventListenerState())

  /// - Parameters:
  ///   - budget: bounds what all clients have sent ahead, those of the API included.
  ///   - closed: logs the connections that are refused.
  init(
    _ settings: EventPortSettings, host: HostApplication, budget: ReadAheadBudget,
    closed: EndedConnections
  ) {
    (self.settings, self.host) = (settings, host)
    (self.budget, self.closed) = (budget, closed)
  }

  /// Opens the port as soon as it is free. Returns at once.
  func start() {
    host.ports.show(EventPort.name) { [self] in
      state.withLock { $0.report(at: settings.listen.description) }
    }
    let task = Task { await run() }
    state.withLock { $0.task = task }
  }

  /// Closes the port. Clients are no longer read. Each gets the number of its stored events.
  func stop() async {
    let remains = state.withLock { $0.stop() }
    let task = remains.task
    host.ports.show(EventPort.name, nil)
    guard let server = remains.server else {
      task?.cancel()
      return await task?.value ?? ()
    }
    server.close(promise: nil)
    for client in remains.clients { client.close(mode: .input, promise: nil) }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await task?.value }
      group.addTask {
        try? await Task.sleep(for: Self.patience)
        task?.cancel()
      }
      // The first to end decides: the clients' events are stored, or the time is over.
      await group.next()
      group.cancelAll()
    }
  }

  private func run() async {
    var tries = 0
    while !Task.isCancelled, !state.withLock({ $0.isStopping }) {
      do {
        let server = try await bind()
        tries = 0
        try await serve(server)
      } catch {
        tries += 1
        if (error as? IOError)?.errnoCode == EADDRINUSE, tries <= Self.quickTries {
          try? await Task.sleep(for: Self.quickPause)
          continue
        }
        failed(error)
        try? await Task.sleep(for: Self.pause)
      }
    }
  }

  private func bind() async throws -> Server {
    let idle = settings.idleSeconds
    return try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.socketOption(.so_keepalive), value: 1)
      // A client closes its side after its last line and waits for the answer.
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      // A read is one small piece, or a thousand clients would fill memory before the log stores.
      .childChannelOption(
        .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: ReadAhead.pieceSize)
      )
      .childChannelOption(.maxMessagesPerRead, value: 1)
      .bind(
        host: settings.listen.host, port: settings.listen.port
      ) { [budget] channel in
        channel.eventLoop.makeCompletedFuture {
          let held = EventReadAhead(channel, budget)
          if idle > 0 {
            try channel.pipeline.syncOperations.addHandler(IdleInput(.seconds(Int64(idle))))
          }
          try channel.pipeline.syncOperations.addHandler(EventReadAheadHandler(held))
          let connected = try EventConnection.Channel(
            wrappingChannelSynchronously: channel,
            configuration: .init(
              // One piece at a time is read ahead. A client that sends faster than the log stores
              // must wait.
              backPressureStrategy: .init(lowWatermark: 1, highWatermark: 2)))
          return EventConnection.Client(channel: connected, held: held)
        }
      }
  }

  private func serve(_ server: Server) async throws {
    try await server.executeThenClose { clients in
      let address = server.channel.localAddress.flatMap { address in
        address.port.map { ListenAddress(host: settings.listen.host, port: $0).description }
      }
      guard state.withLock({ $0.opened(server.channel, at: address) }) else { return }
      tell(address ?? settings.listen.description)
      try await withThrowingDiscardingTaskGroup { group in
        for try await client in clients { group.addTask { await self.serve(client) } }
      }
    }
  }

  private func serve(_ client: EventConnection.Client) async {
    let connection = EventConnection(settings: settings, bus: host.events)
    let limits = ConnectionBudget(of: host.settings).eventLimits(of: settings)
    let admission = state.withLock { state in
      state.admit(client.channel.channel, connection, limits: limits)
    }
    guard case .admitted(let number) = admission else {
      if case .refused(let reason) = admission {
        closed.add(
          client.channel.channel.peer,
          reason: "\(EventPort.name) has answered: \(reason)")
        await EventConnection.turnAway(client, because: reason)
      }
      return
    }
    await connection.serve(client)
    state.withLock { $0.remove(number) }
    if let first = connection.firstRefusal {
      tell(connection, first: first, channel: client.channel.channel)
    }
  }

  private func tell(_ address: String) {
    if settings.listen.isLoopback {
      host.log.log(.notice, "Events are accepted on \(address).")
    } else {
      host.log.log(
        .warning,
        "Events are accepted on \(address), also from other machines, without "
          + "authentication: \(EventPort.name).allow_remote.")
    }
  }

  private func tell(_ connection: EventConnection, first: String, channel: any Channel) {
    let lines = connection.refused == 1 ? "1 line" : "\(connection.refused) lines"
    host.log.log(
      .warning,
      "\(EventPort.name): refused: \(lines) of \(channel.peer ?? "a client"), beside "
        + "\(connection.accepted) events. \(first)")
  }

  private func failed(_ error: any Error) {
    let why =
      switch (error as? IOError)?.errnoCode {
      case EADDRINUSE: "another program has this port. End it, or choose another port."
      case EADDRNOTAVAIL: "this machine doesn't have this address."
      case EACCES: "ports below 1024 are for root. Choose a higher one."
      default: "\(error)"
      }
    let isNew = state.withLock { $0.failed(why) }
    guard isNew else { return }
    host.log.log(
      .error,
      "Events can't be accepted on \(settings.listen): \(why) The host retries every "
        + "\(Self.pause.components.seconds) seconds.")
  }
}
