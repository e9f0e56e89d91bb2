/// A task that a bot is doing.
public struct BotWork: Sendable {
  /// The assignment.
  public let assignment: AssignmentRecord
  /// The task, as it was when the bot got it.
  public let task: TaskRecord
  private let bots: BotClient

  init(_ assignment: AssignmentRecord, _ bots: BotClient) {
    self.assignment = assignment
    task = assignment.task ?? TaskRecord(["id": .string(assignment.taskID)])
    self.bots = bots
  }

  /// Reports progress, from 0 to 1.
  public func report(_ fraction: Double, _ message: String? = nil) async throws {
    var progress: JSONObject = ["percent": JSONValue(min(max(fraction, 0), 1) * 100)]
    progress["message"] = message.map(JSONValue.string)
    try await bots.progress(assignment.id, .object(progress))
  }

  /// Writes into the task's log.
  public func log(_ lines: String...) async throws {
    try await bots.progress(assignment.id, logs: lines)
  }
}

extension BotClient {
  /// Runs a bot until the task is cancelled: registers it, accepts its offers (at most as many at
  /// once as the bot allows), and reports the value that `body` returns or the error that it
  /// throws. It renews each assignment three times per lease. When a task is cancelled, its `body`
  /// is cancelled.
  ///
  /// ```swift
  /// func run() async throws {
  ///   let bot = NewBot("Painter", capabilities: [.init("paints", for: ["paint"])])
  ///   try await host.bots.serve(bot) { work in
  ///     try await work.report(0.5, "half of it")
  ///     return ["color": work.task.input]
  ///   }
  /// }
  /// ```
  /// A ``ModuleError`` with `.invalidArgument` is final: the task isn't tried again.
  /// - Parameter lease: how long the host waits for a renewal before others get the task.
  public func serve(
    _ bot: NewBot, lease: Duration = .seconds(60),
    _ body: @escaping @Sendable (BotWork) async throws -> JSONValue
  ) async throws {
    let id = try await register(bot).id
    try await withThrowingTaskGroup(of: Void.self) { group in
      var running = 0
      while !Task.isCancelled {
        for offer in try await offers(to: id, wait: .seconds(600)) {
          // A refusal means that the task has gone to another bot meanwhile.
          guard (try? await accept(offer.id, lease: lease)) != nil else { continue }
          group.addTask { await self.perform(BotWork(offer, self), lease: lease, body: body) }
          running += 1
        }
        // The host offers no more than the bot accepts at once; a task that has ended frees a slot.
        if running >= bot.maxConcurrentTasks, try await group.next() != nil { running -= 1 }
      }
    }
    try Task.checkCancellation()
  }

  private func perform(
    _ work: BotWork, lease: Duration,
    body: @escaping @Sendable (BotWork) async throws -> JSONValue
  ) async {
    let id = work.assignment.id
    let doing = Task { try await body(work) }
    let renewing = Task { try await self.renew(id, lease) { doing.cancel() } }
    let result = await withTaskCancellationHandler {
      await doing.result
    } onCancel: {
      doing.cancel()
    }
    // The assignment is renewed until the host has the outcome: the report may take several tries.
    await sendResult(result, of: id, retryingAfter: lease / 3)
    renewing.cancel()
  }

  /// Renews an assignment until the host refuses that for good, or the task is cancelled.
  private func renew(
    _ id: String, _ lease: Duration, onCancel cancel: @Sendable () -> Void
  ) async throws {
    while true {
      // Two renewals may be late or lost before the lease expires.
      try await service.services.sleep(for: lease / 3)
      do {
        if try await progress(id) { cancel() }
      } catch let refusal as ModuleError where refusal.mayPass {
        continue
      }
    }
  }

  private func sendResult(
    _ result: Result<JSONValue, any Error>, of id: String, retryingAfter pause: Duration
  ) async {
    do {
      switch result {
      case .success(let output):
        try await retry(after: pause) { try await complete(id, result: output) }
      // The end of the bot is no failure of the task: the host queues it again.
      case .failure where Task.isCancelled: break
      case .failure(let error):
        let isFinal = (error as? ModuleError)?.code == .invalidArgument
        try await retry(after: pause) { try await fail(id, "\(error)", isFinal: isFinal) }
      }
    } catch {
      // The assignment isn't this bot's any more, or the bot ends. The host knows the outcome.
    }
  }

  /// Calls until the host answers, or refuses for good. Its disk may be full for a while.
  private func retry(after pause: Duration, _ call: () async throws -> Void) async throws {
    while true {
      do {
        return try await call()
      } catch let refusal as ModuleError where refusal.mayPass {
        try await service.services.sleep(for: pause)
      }
    }
  }
}

extension ModuleError {
  /// Whether the same call may succeed later. After the other refusals the assignment isn't this
  /// bot's any more.
  fileprivate var mayPass: Bool {
    switch code {
    case .conflict, .invalidArgument, .unsupported: false
    default: true
    }
  }
}
