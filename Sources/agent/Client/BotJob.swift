internal import AgentJSON
internal import AgentTasks
internal import AgentText
internal import NIOHTTP1
internal import Synchronization

/// One assignment of a bot: it is accepted, its lease is renewed while the task runs, and its
/// outcome is reported.
final class BotJob: Sendable {
  private struct News {
    var lines: [JSONValue] = []
    var progress: JSONValue?
  }

  private static let lookForNews = Duration.milliseconds(500)
  // A report renews the lease every 15 seconds, so three may be lost before it expires.
  private static let roundsOfSilence = 30
  // With two seconds in between, a restart of the host may take about a minute.
  private static let triesToBeHeard = 30

  private let host: HostClient
  private let id: String
  private let report: JSONValue
  private let lease: Int
  private let pending = Mutex(News())

  /// - Returns: nil if the offer lacks its id or its task.
  init?(_ offer: JSONValue, at host: HostClient, lease: Int) {
    guard let id = offer["id"]?.string, case .object(var task) = offer["task"] else { return nil }
    task["attempt"] = offer["attempt"]
    self.host = host
    self.id = id
    self.lease = lease
    report = .object(task)
  }

  /// Accepts the assignment. Returns whether it was accepted.
  func accept(_ tell: (String) -> Void) async -> Bool {
    do {
      try await retryUntilSent("accept", ["lease_ms": JSONValue(lease)])
      // The name is a text of the client that made the task.
      let name = VisibleText.line(report["name"]?.string ?? "")
      tell("Task \(report["id"]?.string ?? "") begins: \(name)")
      return true
    } catch {
      tell("Assignment \(id) can't be accepted: \(Failure.words(error))")
      return false
    }
  }

  /// Does the task and reports its outcome.
  func run(
    _ tell: (String) -> Void,
    _ work: @escaping @Sendable (TaskWork, _ type: String) async -> TaskOutcome
  ) async {
    guard let attempt = attempt() else {
      return await end(.failed(error: "The bot can't read the task.", isFinal: true), tell)
    }
    let outcome = await withTaskGroup(of: TaskOutcome?.self) { group in
      group.addTask { await work(attempt, self.report["type"]?.string ?? "") }
      group.addTask {
        await self.keepTelling()
        return nil
      }
      var outcome: TaskOutcome?
      // The first to end cancels the other: the work, or the reports after the host's request to
      // stop.
      for await ended in group {
        outcome = outcome ?? ended
        group.cancelAll()
      }
      return outcome ?? .cancelled()
    }
    await end(outcome, tell)
  }

  private func attempt() -> TaskWork? {
    TaskWork(
      report: report,
      log: { stream, text in
        let line: JSONValue = ["stream": .string(stream), "text": .string(text)]
        self.pending.withLock { $0.lines.append(line) }
      }, progress: { value in self.pending.withLock { $0.progress = value } })
  }

  /// Reports log lines and progress until the work ends or the host asks to stop.
  private func keepTelling() async {
    var silent = 0
    while !Task.isCancelled {
      try? await Task.sleep(for: Self.lookForNews)
      silent += 1
      let isNews = pending.withLock { !$0.lines.isEmpty || $0.progress != nil }
      guard isNews || silent >= Self.roundsOfSilence else { continue }
      silent = 0
      if await !reportChanges() { return }
    }
  }

  /// - Returns: whether the work goes on.
  private func reportChanges() async -> Bool {
    let pending = pending.withLock { pending in
      defer { pending = News() }
      return pending
    }
    var body: JSONObject = ["lease_ms": JSONValue(lease)]
    if !pending.lines.isEmpty { body["logs"] = .array(pending.lines) }
    body["progress"] = pending.progress
    do {
      let answer = try await host.request(
        .POST, "assignments/\(id)/heartbeat", body: .object(body))
      return answer["cancelling"]?.bool != true
    } catch {
      // A host that restarts gets the report later. A refusal means that the task isn't this bot's
      // any more.
      if (error as? Failure)?.isRefusal == true, !Task.isCancelled { return false }
      self.pending.withLock { later in
        later.lines = pending.lines + later.lines
        later.progress = later.progress ?? pending.progress
      }
      return true
    }
  }

  private func end(_ outcome: TaskOutcome, _ tell: (String) -> Void) async {
    _ = await reportChanges()
    let body: JSONObject =
      switch outcome {
      case .succeeded(let output): ["success": true, "result": output]
      case .failed(let error, let output, let isFinal):
        [
          "success": false, "result": output, "error": .string(error), "final": .bool(isFinal),
        ]
      case .snoozed(_, let note): ["success": false, "error": .string(note)]
      case .cancelled(let output):
        ["success": false, "result": output, "error": "It was asked to stop."]
      }
    do {
      try await retryUntilSent("complete", body)
      tell("Task \(report["id"]?.string ?? "") \(Self.word(outcome)).")
    } catch {
      tell("The result of assignment \(id) was refused: \(Failure.words(error))")
    }
  }

  /// Repeats a request until the host has answered it. A restarting host answers it later. If an
  /// answer is lost, the host gets the request twice.
  private func retryUntilSent(_ verb: String, _ body: JSONObject) async throws {
    var tries = 0
    while true {
      do {
        _ = try await host.request(.POST, "assignments/\(id)/\(verb)", body: .object(body))
        return
      } catch {
        tries += 1
        guard tries < Self.triesToBeHeard, !Task.isCancelled,
          (error as? Failure)?.isRefusal != true
        else { throw error }
        try? await Task.sleep(for: .seconds(2))
      }
    }
  }

  private static func word(_ outcome: TaskOutcome) -> String {
    switch outcome {
    case .succeeded: "is done"
    case .failed(let error, _, _): "failed: \(VisibleText.line(error))"
    case .snoozed(_, let note): "isn't done: \(VisibleText.line(note))"
    case .cancelled: "was stopped"
    }
  }
}
