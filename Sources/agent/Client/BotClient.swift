internal import AgentJSON
internal import AgentTasks
internal import NIOCore
internal import NIOHTTP1

/// Makes this program a bot. It gets tasks from the host and reports their outcome.
struct BotClient: Sendable {
  /// The lease of a task. The host gives the task to another bot after this time without a report.
  private static let leaseMilliseconds = 60_000
  // The pause after a failed request, so that a stopped host isn't asked without end.
  private static let askAgain = Duration.seconds(2)
  private static let heartbeatInterval = Duration.seconds(30)

  let host: HostClient
  let id: String

  /// Registers a bot. A bot of the same name gets the new definition.
  static func register(_ body: JSONValue, at host: HostClient) async throws -> BotClient {
    let bots = try await host.bots()["bots"]?.array ?? []
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

  /// Sets the bot's status.
  func say(_ status: String) async throws {
    _ = try await host.request(.PUT, "\(path)/status", body: ["status": .string(status)])
  }

  /// Accepts offers and does their tasks until `stop` returns. Then it accepts no more offers and
  /// waits until the accepted tasks have ended.
  func serve(
    until stop: @escaping @Sendable () async -> Void,
    tell: @escaping @Sendable (String) -> Void = { _ in },
    _ work: @escaping @Sendable (TaskWork, _ type: String) async -> TaskOutcome
  ) async {
    let (accepted, acceptedJobs) = AsyncStream.makeStream(of: BotJob.self)
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
            // The request isn't cancelled with the loop. Otherwise the bot wouldn't know whether it
            // has the task.
            if await Task(operation: { await job.accept(tell) }).value { acceptedJobs.yield(job) }
          }
        }
        acceptedJobs.finish()
      }
      await stop()
      asking.cancel()
      await asking.value
      // The jobs end by themselves after the last one. The heartbeats never end, so they are
      // cancelled.
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
      // A lost heartbeat does no harm, because the next one follows before the bot goes offline.
      try? await Task.sleep(for: Self.heartbeatInterval)
    }
  }
}
