internal import AgentJSON
internal import AgentTasks
internal import NIOCore
internal import NIOHTTP1

/// A bot that this program is: it asks the host for work, and says what comes of it.
struct BotClient: Sendable {
  /// How long it may be silent until what it does is given to others.
  private static let leaseMilliseconds = 60_000
  private static let askAgain = Duration.seconds(2)
  private static let signOfLife = Duration.seconds(30)

  let host: HostClient
  /// Its id.
  let id: String

  /// Registers a bot, or says anew what the one with this name is.
  static func register(_ body: JSONValue, at host: HostClient) async throws -> BotClient {
    let bots = try await host.request(.GET, "bots")["bots"]?.array ?? []
    let known = bots.first { $0["name"] == body["name"] }?["id"]?.string
    let bot =
      if let known {
        try await host.request(.PUT, "bots/\(HostClient.escaped(known))", body: body)
      } else {
        try await host.request(.POST, "bots", body: body)
      }
    guard let id = bot["id"]?.string else { throw Failure("The host gave the bot no id.") }
    let client = BotClient(host: host, id: id)
    try await client.say("online")
    return client
  }

  /// Says how it stands.
  func say(_ status: String) async throws {
    _ = try await host.request(.PUT, "\(path)/status", body: ["status": .string(status)])
  }

  /// Does what it is given until `stop` returns; then it takes nothing new, and brings to its end
  /// what it has begun.
  func serve(
    until stop: @escaping @Sendable () async -> Void,
    tell: @escaping @Sendable (String) -> Void = { _ in },
    _ work: @escaping @Sendable (TaskWork, _ type: String) async -> TaskOutcome
  ) async {
    let (accepted, door) = AsyncStream.makeStream(of: BotJob.self)
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        await withTaskGroup(of: Void.self) { jobs in
          for await job in accepted { jobs.addTask { await job.run(tell, work) } }
        }
      }
      group.addTask { await self.keepAlive() }
      let asking = Task {
        while !Task.isCancelled {
          for offer in await offers(tell) {
            guard let job = BotJob(offer, at: host, lease: Self.leaseMilliseconds) else { continue }
            // Not cancelled with the loop: the bot must learn whether the task is its own.
            if await Task(operation: { await job.accept(tell) }).value { door.yield(job) }
          }
        }
        door.finish()
      }
      await stop()
      asking.cancel()
      await asking.value
      await group.next()
      group.cancelAll()
    }
  }

  private var path: String { "bots/\(HostClient.escaped(id))" }

  /// Returns the bot's offers. Waits up to 20 seconds for the first.
  private func offers(_ tell: (String) -> Void) async -> [JSONValue] {
    do {
      let answer = try await host.request(.GET, "\(path)/assignments?wait_ms=20000")
      return answer["assignments"]?.array ?? []
    } catch {
      if Task.isCancelled { return [] }
      tell("\(Failure.words(error)) The bot retries.")
      try? await Task.sleep(for: Self.askAgain)
      return []
    }
  }

  private func keepAlive() async {
    while !Task.isCancelled {
      _ = try? await host.request(.POST, "\(path)/heartbeat")
      try? await Task.sleep(for: Self.signOfLife)
    }
  }
}
