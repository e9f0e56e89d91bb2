public import AgentAssignment
public import AgentJSON
public import AgentStore
public import AgentTasks
internal import Synchronization

/// Answers to questions about assignments, as people and programs get them.
extension TaskDispatcher {
  /// The maximum number of assignments that a page looks at. A status that none has would otherwise
  /// read all that were ever made in one piece.
  static let maxLooked = 10_000

  /// A page of assignments: `{assignments, next}`, with `next` for `before` of the page that
  /// follows, which may come after a page that isn't full.
  /// - Parameter authority: who asks; of tasks that they don't see, what has come of them is left
  ///   out.
  public func page(
    _ selection: AssignmentSelection, for authority: TaskAuthority
  ) async throws -> JSONObject {
    let plan = tasks.plan
    var bounded = selection
    bounded.look = Self.maxLooked
    bounded.maxBytes = TaskRow.pageBytes
    let chosen = bounded
    let (reports, before) = try await readyStore().read { snapshot in
      let page = try snapshot.assignments.page(chosen)
      let reports = try page.rows.map {
        try Self.report($0, in: snapshot, for: authority, plan: plan)
      }
      return (reports, page.before)
    }
    var page: JSONObject = ["assignments": .array(reports.map { .object($0) })]
    page["next"] = before.map { .string("\($0)") }
    return page
  }

  /// A page of bots, by id: `{bots, next}`, with `next` for `after` of the page that follows.
  /// - Parameters:
  ///   - id: only those with a greater id.
  ///   - limit: the maximum number of bots. A page also ends by ``TaskRow/pageBytes``.
  ///   - authority: the caller's; nil for the view that every caller has.
  /// - Throws: `notReady` as long as it isn't known who is registered.
  public func botPage(
    type: String? = nil, status: BotStatus? = nil, taskType: String? = nil, after id: String? = nil,
    limit: Int = .max, for authority: TaskAuthority? = nil
  ) throws(TaskError) -> JSONObject {
    _ = try readyStore()
    return state.withLock { state in
      var bytes = 0
      var found: [JSONValue] = []
      var last: String?
      // The matching bots are references to what the roster has; a report is a copy.
      let bots = state.roster.bots(after: id, limit: limit) {
        Self.isMeant($0, type: type, status: status, taskType: taskType)
      }
      for bot in bots where bytes < TaskRow.pageBytes {
        found.append(.object(report(bot, state, for: authority)))
        bytes += (state.records[bot.id]?.bytes ?? 0) + Self.reportBytes
        last = bot.id
      }
      var page: JSONObject = ["bots": .array(found)]
      if found.count < bots.count || bots.count == limit {
        page["next"] = last.map(JSONValue.string)
      }
      return page
    }
  }

  /// About as many bytes of a report are beside the definition of the bot.
  private static let reportBytes = 300

  /// The inbox of a person: what waits for their answer, and what they have accepted, the oldest of
  /// a page first: `{assignments, next}`, with `next` for `before` of the page that follows.
  /// - Parameters:
  ///   - user: their name; nil for all people's.
  ///   - number: only those with a lesser number.
  public func inbox(of user: String?, before number: Int64? = nil) async throws -> JSONObject {
    let bots = state.withLock { state in
      Set(
        state.roster.bots {
          $0.definition.type == .user && (user.map($0.isOf) ?? true)
        }.map(\.id))
    }
    let page = try await readyStore().read { snapshot in
      try Self.open(of: bots, before: number ?? .max, in: snapshot)
    }
    var object: JSONObject = ["assignments": .array(page.found.reversed())]
    object["next"] = page.next.map { .string("\($0)") }
    return object
  }

  /// The most assignments of a page of an inbox.
  private static let maxInbox = 1_000

  private static func open(
    of bots: Set<String>, before number: Int64, in snapshot: any StoreSnapshot
  ) throws -> (found: [JSONValue], next: Int64?) {
    var selection = AssignmentSelection(
      states: [.pending, .accepted], bot: bots.count == 1 ? bots.first : nil, before: number,
      limit: maxInbox)
    // The bot is looked at first: most open assignments are no people's.
    selection.omitsTexts = true
    var found: [JSONValue] = []
    var bytes = 0
    while !bots.isEmpty {
      let rows = try snapshot.assignments.assignments(selection)
      for row in rows where bots.contains(row.bot) {
        guard let work = try work(row.id, in: snapshot) else { continue }
        found.append(work.json)
        bytes += work.bytes
        if bytes >= TaskRow.pageBytes || found.count == maxInbox { return (found, row.id) }
      }
      guard rows.count == selection.limit, let last = rows.last else { break }
      selection.before = last.id
    }
    return (found, nil)
  }

  /// One assignment.
  /// - Parameter authority: who asks; of a task that they don't see, what has come of it is left
  ///   out.
  /// - Throws: `missing`.
  public func report(
    of id: Int64, for authority: TaskAuthority
  ) async throws -> JSONObject {
    let (row, plan) = (try await assignment(id), tasks.plan)
    return try await readyStore().read { try Self.report(row, in: $0, for: authority, plan: plan) }
  }

  private static func report(
    _ row: AssignmentRow, in snapshot: any StoreSnapshot, for authority: TaskAuthority,
    plan: TaskPlan
  ) throws -> JSONObject {
    let report = AssignmentReport(row)
    guard authority.isConfined else { return report.json }
    let isSeen = try snapshot.tasks.task(row.task).map { authority.sees($0, plan) } ?? false
    return isSeen ? report.json : report.outline
  }
}
