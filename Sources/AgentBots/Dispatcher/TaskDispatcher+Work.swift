public import AgentJSON
public import AgentStore
internal import AgentAssignment
public import AgentTasks
internal import Synchronization

/// Handles the reports of bots about their assignments.
extension TaskDispatcher {
  /// The end of an attempt, as a bot reports it.
  public struct Ending: Sendable {
    /// Whether the task succeeded.
    public var isDone = true
    /// The result.
    public var output = JSONValue.null
    /// The reason for a failure, for people.
    public var error: String?
    /// Whether a retry is useless.
    public var isFinal = false

    /// Creates a success without a result.
    public init() {}

    var outcome: TaskOutcome {
      if isDone { return .succeeded(output) }
      return .failed(
        error: error ?? "The bot couldn't do the task.", output: output, isFinal: isFinal)
    }
  }

  /// Returns an assignment for a caller that acts for its bot.
  /// - Throws: `missing`, `forbidden` or `notReady`.
  public func assignment(
    _ id: Int64, for authority: TaskAuthority
  ) async throws -> AssignmentRow {
    let row = try await assignment(id)
    try check(authority, speaksFor: row.bot)
    return row
  }

  /// Returns an assignment, without a check of the caller.
  /// - Throws: `missing` or `notReady`.
  public func assignment(_ id: Int64) async throws -> AssignmentRow {
    guard let row = try await readyStore().read({ try $0.assignments.assignment(id) }) else {
      throw TaskError(.missing, "There is no assignment \(id).")
    }
    return row
  }

  /// Returns assignments, the latest first. Examines at most ten times ``maxLooked``, in several
  /// reads, so that no read takes long.
  public func assignments(_ selection: AssignmentSelection) async throws -> [AssignmentRow] {
    var selection = selection
    var rows: [AssignmentRow] = []
    selection.look = Self.maxLooked
    // A bound: a search that matches few would otherwise read all stored assignments.
    for _ in 0..<10 {
      let page = try await readyStore().read { [selection] in
        try $0.assignments.page(selection)
      }
      rows += page.rows
      selection.limit -= page.rows.count
      guard let before = page.before, selection.limit > 0 else { break }
      selection.before = before
    }
    return rows
  }

  /// Returns the attempts of a task that a bot may read with its own token, or nil.
  public func readableAttempts(
    of task: Int64, by bot: String
  ) async throws -> ReadableAttempts? {
    var selection = AssignmentSelection(
      states: [.pending, .accepted, .completed, .failed], bot: bot, task: task, limit: 1_000)
    // Each result may have megabytes, and only the latest is shown.
    selection.omitsTexts = true
    var found = try await assignments(selection)
    if let newest = found.first {
      found = [try await assignment(newest.id)] + found.dropFirst()
    }
    return ReadableAttempts(of: found)
  }

  /// Returns an assignment with its task, for the bot that runs it, and its approximate size in
  /// bytes. Nil if it doesn't exist.
  static func work(
    _ id: Int64, in snapshot: any StoreSnapshot
  ) throws -> (json: JSONValue, bytes: Int)? {
    guard let row = try snapshot.assignments.assignment(id) else { return nil }
    let task = try snapshot.tasks.task(row.task)
    var object = AssignmentReport(row).json
    object["task"] = task.map { .object(TaskReport($0).json) } ?? .null
    return (.object(object), row.bytes + (task?.bytes ?? 0))
  }

  /// A page of offers that a bot hasn't answered, the oldest first.
  public struct OfferPage: Sendable {
    public var offers: [BotOffers.Offer] = []
    /// The id after which the next page begins. Nil on the last page.
    public var next: Int64?

    /// The page in the API's form: `{assignments, next}`.
    public var json: JSONObject {
      var object: JSONObject = ["assignments": .array(offers.map(\.json))]
      object["next"] = next.map { .string("\($0)") }
      return object
    }
  }

  /// The maximum number of offers in a page, and the number of bytes that ends a page. Both are
  /// low, because many bots wait for offers at the same time.
  private static let maxOffers = 100
  private static let offerBytes = 1 << 20

  /// Returns a page of the offers that a bot hasn't answered.
  /// - Parameter id: only offers with a greater id follow.
  func offers(to bot: String, after id: Int64) async throws -> OfferPage {
    try await readyStore().read { snapshot in
      let numbers = try snapshot.assignments.offers(to: bot, after: id, limit: Self.maxOffers)
      var page = OfferPage()
      var bytes = 0
      for number in numbers where bytes < Self.offerBytes {
        page.next = number
        // `next` has moved on already: an assignment that was removed must not be read again.
        guard let work = try Self.work(number, in: snapshot) else { continue }
        page.offers.append(BotOffers.Offer(number: number, json: work.json))
        bytes += work.bytes
      }
      if page.next == numbers.last, numbers.count < Self.maxOffers { page.next = nil }
      return page
    }
  }

  /// Returns a page of the offers that a bot hasn't answered. Waits if there is none.
  /// - Parameters:
  ///   - id: only offers with a greater id follow.
  ///   - milliseconds: the longest wait. Zero doesn't wait.
  ///   - authority: the caller, which must be permitted to act for the bot.
  /// - Throws: `missing`, `forbidden` or `notReady`; `CancellationError`.
  public func offers(
    to bot: String, after id: Int64 = 0, milliseconds: Int64, by authority: TaskAuthority
  ) async throws -> OfferPage {
    try await waitForOffers(to: bot, after: id, milliseconds: milliseconds, by: authority)
    return try await offers(to: bot, after: id)
  }

  /// Waits until a bot has an offer that it hasn't answered, or the time has passed.
  /// - Parameters:
  ///   - id: only offers with a greater id count.
  ///   - milliseconds: the longest wait. Zero doesn't wait.
  ///   - authority: the caller, which must be permitted to act for the bot.
  /// - Throws: `missing`, `forbidden` or `notReady`; `CancellationError`.
  public func waitForOffers(
    to bot: String, after id: Int64 = 0, milliseconds: Int64, by authority: TaskAuthority
  ) async throws {
    try check(authority, speaksFor: bot)
    try recordContact(of: bot, at: now())
    if milliseconds <= 0 { return }
    let (stream, source) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    // Before the first read: an offer that is made after the read is announced to this listener.
    let number = listen(bot, source)
    let timer = Task { [pause] in
      try? await pause(.milliseconds(milliseconds))
      source.finish()
    }
    defer {
      timer.cancel()
      stopListening(bot, number)
    }
    var calls = stream.makeAsyncIterator()
    while true {
      let isOffered = try await readyStore().read {
        try !$0.assignments.offers(to: bot, after: id, limit: 1).isEmpty
      }
      if isOffered { return }
      // The stream ends with the timer, with the dispatcher, or with a cancellation.
      if await calls.next() == nil { return try Task.checkCancellation() }
    }
  }

  /// Accepts an assignment: the bot runs the task. A repeated acceptance changes nothing.
  /// - Parameter lease: the longest time until the next heartbeat, in milliseconds. Nil means the
  ///   plan's lease for a bot that sends heartbeats, and no limit for others.
  /// - Throws: `staleLease` if the bot has lost the task; `missing`, `forbidden` or `notReady`.
  public func accept(
    _ id: Int64, lease: Int64?, by authority: TaskAuthority
  ) async throws -> AssignmentRow {
    let row = try await answerable(id, by: authority)
    noteSign(of: row)
    // A bot may accept twice: the response to the first request may be lost with a killed host.
    if row.state != .accepted {
      let silence = silence(row, lease)
      _ = try await tasks.accept(Self.lease(row), silence: silence, by: authority.actor ?? row.bot)
    }
    return try await assignment(id)
  }

  /// Rejects an assignment, before or after its acceptance. The task is requeued, and this bot
  /// doesn't get it before a retry or a new execution.
  /// - Parameter reason: the reason for people. It may be empty.
  /// - Throws: `staleLease` if the bot has lost the task; `missing`, `forbidden` or `notReady`.
  public func reject(
    _ id: Int64, reason: String, by authority: TaskAuthority
  ) async throws -> AssignmentRow {
    let row = try await answerable(id, by: authority)
    noteSign(of: row)
    _ = try await tasks.reject(
      Self.lease(row), reason: reason.isEmpty ? "no reason was given" : reason,
      by: authority.actor ?? row.bot)
    return try await assignment(id)
  }

  /// Records a heartbeat for an assignment, with the task's progress and log lines.
  /// - Parameters:
  ///   - progress: the progress. Nil keeps the former one.
  ///   - lease: the longest time until the next heartbeat, in milliseconds. Nil keeps the one that
  ///     the bot named before, or else the plan's.
  /// - Returns: the assignment, and whether the task is being cancelled.
  /// - Throws: `staleLease` if the bot has lost the task; `missing`, `forbidden` or `notReady`.
  public func heartbeat(
    _ id: Int64, progress: JSONValue?, lines: [(stream: String, text: String)], lease: Int64?,
    by authority: TaskAuthority
  ) async throws -> (row: AssignmentRow, isCancelling: Bool) {
    let row = try await answerable(id, by: authority)
    noteSign(of: row)
    // Without a lease, the one that the bot asked for before stays valid. The plan's isn't kept with
    // the assignment: it may be another one at the next heartbeat.
    let named = lease ?? held(row)?.silence
    let task = try await tasks.heartbeat(
      Self.lease(row), progress: progress,
      silence: named.map { silence(row, $0) } ?? plan.lease)
    if !lines.isEmpty { try await tasks.log(Self.lease(row), lines) }
    return (row, task.cancelling != nil)
  }

  /// Ends an assignment with a result or an error.
  /// - Throws: `staleLease` if the bot has lost the task; `missing`, `forbidden` or `notReady`.
  public func complete(
    _ id: Int64, _ ending: Ending, by authority: TaskAuthority
  ) async throws -> AssignmentRow {
    let row = try await answerable(id, by: authority)
    noteSign(of: row)
    _ = try await tasks.complete(Self.lease(row), ending.outcome, by: authority.actor ?? row.bot)
    return try await assignment(id)
  }

  /// Records that the bot is present: every report about a task counts as a heartbeat.
  private func noteSign(of row: AssignmentRow) {
    // The bot may have been unregistered. Its lease then refuses the report.
    _ = try? recordContact(of: row.bot, at: now())
  }

  /// Returns the lease of an assignment.
  static func lease(_ row: AssignmentRow) -> TaskLease {
    TaskLease(task: row.task, attempt: row.attempt, owner: row.bot)
  }

  /// Returns the dispatcher's entry for an assignment, or nil.
  private func held(_ row: AssignmentRow) -> DispatcherState.Held? {
    state.withLock { $0.held[DispatcherState.Key(task: row.task, attempt: row.attempt)] }
  }

  /// Returns the longest time until the next heartbeat, in milliseconds: the one that the bot
  /// named, the plan's lease for a bot that sends heartbeats, or ten years. A bot without a first
  /// heartbeat isn't monitored.
  private func silence(_ row: AssignmentRow, _ said: Int64?) -> Int64 {
    state.withLock { state in
      let key = DispatcherState.Key(task: row.task, attempt: row.attempt)
      if let said { state.held[key]?.silence = said }
      if let said { return said }
      return state.records[row.bot]?.beats == true ? state.plan.lease : BotPlan.forever
    }
  }

  /// Stores a file with the task that a bot runs.
  /// - Throws: `staleLease` if the bot has lost the task; `missing`, `forbidden` or `notReady`.
  public func keep(
    _ bytes: [UInt8], as name: String, mediaType: String?, for assignment: Int64,
    by authority: TaskAuthority
  ) async throws -> TaskArtifact {
    let row = try await answerable(assignment, by: authority)
    return
      try await tasks.keep(
        bytes, as: name, mediaType: mediaType, of: row.task, lease: Self.lease(row))
  }
}

extension TaskDispatcher.Ending {
  /// Reads the end of an attempt from a body of the form ``BotSchemas/completion``.
  public init(_ body: JSONValue) {
    self.init()
    isDone = body["success"]?.bool ?? (body["status"]?.string != "failed")
    output = body["result"] ?? body["output"] ?? .null
    error = body["error"]?.string
    isFinal = body["final"]?.bool ?? false
  }
}
