public import AgentJSON
public import AgentStore
internal import AgentAssignment
public import AgentTasks
internal import Synchronization

/// The reports of bots about their assignments.
extension TaskDispatcher {
  /// How an attempt ended, as a bot says it.
  public struct Ending: Sendable {
    /// Whether it is done.
    public var isDone = true
    /// What came of it.
    public var output = JSONValue.null
    /// Why it isn't done, for people.
    public var error: String?
    /// Trying again is of no use.
    public var isFinal = false

    /// Done.
    public init() {}

    var outcome: TaskOutcome {
      if isDone { return .succeeded(output) }
      return .failed(
        error: error ?? "The bot couldn't do the task.", output: output, isFinal: isFinal)
    }
  }

  /// One assignment, for a caller that acts for its bot.
  /// - Throws: `missing`, or `forbidden`.
  public func assignment(
    _ id: Int64, for authority: TaskAuthority
  ) async throws -> AssignmentRow {
    let row = try await assignment(id)
    try check(authority, speaksFor: row.bot)
    return row
  }

  /// One assignment.
  /// - Throws: `missing`.
  public func assignment(_ id: Int64) async throws -> AssignmentRow {
    guard let row = try await readyStore().read({ try $0.assignments.assignment(id) }) else {
      throw TaskError(.missing, "There is no assignment \(id).")
    }
    return row
  }

  /// Assignments, the newest first, among at most ten times ``maxLooked``. Each read looks at no
  /// more than that, so that none takes long.
  public func assignments(_ selection: AssignmentSelection) async throws -> [AssignmentRow] {
    var selection = selection
    var rows: [AssignmentRow] = []
    selection.look = Self.maxLooked
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

  /// The attempts of a task that a bot may read with its own token; nil when there are none.
  public func readableAttempts(
    of task: Int64, by bot: String
  ) async throws -> ReadableAttempts? {
    var selection = AssignmentSelection(
      states: [.pending, .accepted, .completed, .failed], bot: bot, task: task, limit: 1_000)
    // Each result may have megabytes, and only the newest is shown.
    selection.omitsTexts = true
    var found = try await assignments(selection)
    if let newest = found.first {
      found = [try await assignment(newest.id)] + found.dropFirst()
    }
    return ReadableAttempts(of: found)
  }

  /// An assignment with its task, for the bot that does it; nil where there is none.
  static func work(
    _ id: Int64, in snapshot: any StoreSnapshot
  ) throws -> (json: JSONValue, bytes: Int)? {
    guard let row = try snapshot.assignments.assignment(id) else { return nil }
    let task = try snapshot.tasks.task(row.task)
    var object = AssignmentReport(row).json
    object["task"] = task.map { .object(TaskReport($0).json) } ?? .null
    return (.object(object), row.bytes + (task?.bytes ?? 0))
  }

  /// A page of the offers that a bot hasn't answered, the oldest first.
  public struct OfferPage: Sendable {
    /// The offers.
    public var offers: [BotOffers.Offer] = []
    /// The number after which the next page begins; nil behind the last one.
    public var next: Int64?

    /// `{assignments, next}`.
    public var json: JSONObject {
      var object: JSONObject = ["assignments": .array(offers.map(\.json))]
      object["next"] = next.map { .string("\($0)") }
      return object
    }
  }

  /// The most offers of a page, and the bytes with which it ends. Many bots wait for offers at the
  /// same time, so that a page has less than other lists.
  private static let maxOffers = 100
  private static let offerBytes = 1 << 20

  /// The offers that a bot hasn't answered, after a number.
  func offers(to bot: String, after id: Int64) async throws -> OfferPage {
    try await readyStore().read { snapshot in
      let numbers = try snapshot.assignments.offers(to: bot, after: id, limit: Self.maxOffers)
      var page = OfferPage()
      var bytes = 0
      for number in numbers where bytes < Self.offerBytes {
        page.next = number
        guard let work = try Self.work(number, in: snapshot) else { continue }
        page.offers.append(BotOffers.Offer(number: number, json: work.json))
        bytes += work.bytes
      }
      if page.next == numbers.last, numbers.count < Self.maxOffers { page.next = nil }
      return page
    }
  }

  /// The offers that a bot hasn't answered. Waits for the next where there is nothing.
  /// - Parameter id: only those with a greater number.
  public func offers(
    to bot: String, after id: Int64 = 0, milliseconds: Int64, by authority: TaskAuthority
  ) async throws -> OfferPage {
    try await waitForOffers(to: bot, after: id, milliseconds: milliseconds, by: authority)
    return try await offers(to: bot, after: id)
  }

  /// Waits until there is an offer that a bot hasn't answered, or the time is over.
  /// - Parameter id: only those with a greater number.
  public func waitForOffers(
    to bot: String, after id: Int64 = 0, milliseconds: Int64, by authority: TaskAuthority
  ) async throws {
    try check(authority, speaksFor: bot)
    try recordContact(of: bot, at: now())
    if milliseconds <= 0 { return }
    let (stream, source) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    // Before the first read: an offer that is made in between rings this listener.
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
      // The stream ends by the timer, or because the caller was cancelled.
      if await calls.next() == nil { return try Task.checkCancellation() }
    }
  }

  /// The bot does it.
  /// - Parameter lease: how long it may be silent from now on, in milliseconds.
  public func accept(
    _ id: Int64, lease: Int64?, by authority: TaskAuthority
  ) async throws -> AssignmentRow {
    let row = try await answerable(id, by: authority)
    noteSign(of: row)
    // A bot may accept twice, since the answer to the first may have been lost with a killed host.
    if row.state != .accepted {
      let silence = silence(row, lease)
      _ = try await tasks.accept(Self.lease(row), silence: silence, by: authority.actor ?? row.bot)
    }
    return try await assignment(id)
  }

  /// The bot doesn't want it, or gives it back: the task is queued again, and this bot doesn't get
  /// it any more.
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

  /// The bot is at it.
  /// - Returns: the assignment, and whether somebody wants it to stop.
  public func heartbeat(
    _ id: Int64, progress: JSONValue?, lines: [(stream: String, text: String)], lease: Int64?,
    by authority: TaskAuthority
  ) async throws -> (row: AssignmentRow, isCancelling: Bool) {
    let row = try await answerable(id, by: authority)
    noteSign(of: row)
    // A heartbeat without a lease keeps the one that the bot asked for before.
    let lease = lease ?? held(row)?.silence ?? plan.lease
    let task = try await tasks.heartbeat(
      Self.lease(row), progress: progress, silence: silence(row, lease))
    if !lines.isEmpty { try await tasks.log(Self.lease(row), lines) }
    return (row, task.cancelling != nil)
  }

  /// The bot has ended it.
  public func complete(
    _ id: Int64, _ ending: Ending, by authority: TaskAuthority
  ) async throws -> AssignmentRow {
    let row = try await answerable(id, by: authority)
    noteSign(of: row)
    _ = try await tasks.complete(Self.lease(row), ending.outcome, by: authority.actor ?? row.bot)
    return try await assignment(id)
  }

  /// A report about a task is a heartbeat, too.
  private func noteSign(of row: AssignmentRow) {
    // It may have been unregistered; what it says is refused by its lease, then.
    _ = try? recordContact(of: row.bot, at: now())
  }

  static func lease(_ row: AssignmentRow) -> TaskLease {
    TaskLease(task: row.task, attempt: row.attempt, owner: row.bot)
  }

  private func held(_ row: AssignmentRow) -> DispatcherState.Held? {
    state.withLock { $0.held[DispatcherState.Key(task: row.task, attempt: row.attempt)] }
  }

  /// How long the bot may be silent: as it says; a lease where it sends heartbeats; otherwise for
  /// ever, because a bot without a first heartbeat isn't monitored.
  private func silence(_ row: AssignmentRow, _ said: Int64?) -> Int64 {
    state.withLock { state in
      let key = DispatcherState.Key(task: row.task, attempt: row.attempt)
      if let said { state.held[key]?.silence = said }
      if let said { return said }
      return state.records[row.bot]?.beats == true ? state.plan.lease : BotPlan.forever
    }
  }

  /// Keeps a file with the task that a bot does.
  /// - Throws: `staleLease` when it was given to somebody else meanwhile.
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
  /// The end that a body tells, as ``BotSchemas/completion`` has it.
  public init(_ body: JSONValue) {
    self.init()
    isDone = body["success"]?.bool ?? (body["status"]?.string != "failed")
    output = body["result"] ?? body["output"] ?? .null
    error = body["error"]?.string
    isFinal = body["final"]?.bool ?? false
  }
}
