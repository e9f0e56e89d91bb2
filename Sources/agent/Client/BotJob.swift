internal import AgentJSON
internal import AgentTasks
internal import NIOHTTP1
internal import Synchronization

/// One task that a bot was given: accepted, kept alive while it is done, and ended.
final class BotJob: Sendable {
  private struct News {
    var lines: [JSONValue] = []
    var progress: JSONValue?
  }

  private static let lookForNews = Duration.milliseconds(500)
  private static let roundsOfSilence = 30
  private static let triesToBeHeard = 30

  private let host: HostClient
  private let id: String
  private let report: JSONValue
  private let lease: Int
  private let news = Mutex(News())

  /// - Returns: nil where an offer isn't one.
  init?(_ offer: JSONValue, at host: HostClient, lease: Int) {
    guard let id = offer["id"]?.string, case .object(var task) = offer["task"] else { return nil }
    task["attempt"] = offer["attempt"]
    (self.host, self.id, self.lease, report) = (host, id, lease, .object(task))
  }

  /// Says that the bot does it.
  func accept(_ tell: (String) -> Void) async -> Bool {
    do {
      try await insist("accept", ["lease_ms": JSONValue(lease)])
      tell("Task \(report["id"]?.string ?? "") begins: \(report["name"]?.string ?? "")")
      return true
    } catch {
      tell("Assignment \(id) can't be accepted: \(Failure.words(error))")
      return false
    }
  }

  /// Does it, and says what has come of it.
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
      // Whichever ends first ends the other: the work, or the host's wish that it goes on.
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
        self.news.withLock { $0.lines.append(line) }
      }, progress: { value in self.news.withLock { $0.progress = value } })
  }

  /// Passes on what is new until it is done, or it is to stop.
  private func keepTelling() async {
    var silent = 0
    while !Task.isCancelled {
      try? await Task.sleep(for: Self.lookForNews)
      silent += 1
      let isNews = news.withLock { !$0.lines.isEmpty || $0.progress != nil }
      guard isNews || silent >= Self.roundsOfSilence else { continue }
      silent = 0
      if await !tellNews() { return }
    }
  }

  /// - Returns: whether it is to go on.
  private func tellNews() async -> Bool {
    let news = news.withLock { news in
      defer { news = News() }
      return news
    }
    var body: JSONObject = ["lease_ms": JSONValue(lease)]
    if !news.lines.isEmpty { body["logs"] = .array(news.lines) }
    body["progress"] = news.progress
    do {
      let answer = try await host.request(
        .POST, "assignments/\(id)/heartbeat", body: .object(body))
      return answer["cancelling"]?.bool != true
    } catch {
      // A host that is being started again hears of it later; one that refuses has given it away.
      if (error as? Failure)?.isRefusal == true, !Task.isCancelled { return false }
      self.news.withLock { later in
        later.lines = news.lines + later.lines
        later.progress = later.progress ?? news.progress
      }
      return true
    }
  }

  private func end(_ outcome: TaskOutcome, _ tell: (String) -> Void) async {
    _ = await tellNews()
    let body: JSONObject =
      switch outcome {
      case .succeeded(let output): ["success": true, "result": output]
      case .failed(let error, let output, let isFinal):
        [
          "success": false, "result": output, "error": .string(error), "final": .bool(isFinal),
        ]
      case .snoozed(_, let note): ["success": false, "error": .string(note)]
      case .cancelled(let output):
        ["success": false, "result": output, "error": "It was told to stop."]
      }
    do {
      try await insist("complete", body)
      tell("Task \(report["id"]?.string ?? "") \(Self.word(outcome)).")
    } catch {
      tell("The result of assignment \(id) was refused: \(Failure.words(error))")
    }
  }

  /// Says something of the assignment until the host has heard it: one that is being started again
  /// hears it later, and one whose answer got lost may hear it twice.
  private func insist(_ verb: String, _ body: JSONObject) async throws {
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
    case .failed(let error, _, _): "failed: \(error)"
    case .snoozed(_, let note): "isn't done: \(note)"
    case .cancelled: "was stopped"
    }
  }
}
