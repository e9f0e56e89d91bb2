public import AgentAssignment
public import AgentJSON
public import AgentStore
public import AgentTasks
internal import Synchronization

/// Returns assignments and bots as the API and the programs show them.
extension TaskDispatcher {
  /// The maximum number of assignments that a page examines. A search that matches none would
  /// otherwise read all stored assignments in one query.
  static let maxLooked = 10_000

  /// Returns a page of assignments: `{assignments, next}`. `next` is the value of `before` for the
  /// next page. A page with few assignments may have a `next` too.
  /// - Parameter authority: the caller. The results of tasks that it may not see are left out.
  /// - Throws: `notReady`; errors of the store.
  public func page(
    _ selection: AssignmentSelection, for authority: TaskAuthority
  ) async throws -> JSONObject {
    let plan = tasks.plan
    var bounded = selection
    bounded.look = Self.maxLooked
    // Few assignments may fill a page: each result may have megabytes.
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

  /// Returns a page of bots, sorted by id: `{bots, next}`. `next` is the value of `after` for the
  /// next page.
  /// - Parameters:
  ///   - id: only bots with a greater id follow. Nil begins with the first.
  ///   - limit: the maximum number of bots. A page also ends after ``TaskRow/pageBytes``.
  ///   - authority: the caller. Nil returns the view that every caller has.
  /// - Throws: `notReady` before the registered bots have been read.
  public func botPage(
    type: String? = nil, status: BotStatus? = nil, taskType: String? = nil, after id: String? = nil,
    limit: Int = .max, for authority: TaskAuthority? = nil
  ) throws(TaskError) -> JSONObject {
    _ = try readyStore()
    return state.withLock { state in
      var bytes = 0
      var found: [JSONValue] = []
      var last: String?
      // Matching bots share the roster's memory. A report is a copy, so that reports are limited.
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

  /// The approximate number of bytes that a report has in addition to the bot's definition.
  private static let reportBytes = 300

  /// Returns a page of a person's inbox: the assignments that are offered or accepted, the oldest
  /// of the page first: `{assignments, next}`. `next` is the value of `before` for the next page.
  /// - Parameters:
  ///   - user: the name of the person. Nil means all people.
  ///   - number: only assignments with a lower id. Nil begins with the latest.
  /// - Throws: `notReady`; errors of the store.
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

  /// The maximum number of assignments in a page of an inbox.
  private static let maxInbox = 1_000

  /// Returns the open assignments of these bots, the latest first, and the id at which the page was
  /// cut.
  private static func open(
    of bots: Set<String>, before number: Int64, in snapshot: any StoreSnapshot
  ) throws -> (found: [JSONValue], next: Int64?) {
    var selection = AssignmentSelection(
      states: [.pending, .accepted], bot: bots.count == 1 ? bots.first : nil, before: number,
      limit: maxInbox)
    // Without texts at first: most open assignments belong to other bots.
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

  /// Returns one assignment.
  /// - Parameter authority: the caller. The result of a task that it may not see is left out.
  /// - Throws: `missing`; `notReady`.
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
    // Most callers see every task: they need no read of it.
    guard authority.isConfined else { return report.json }
    let isSeen = try snapshot.tasks.task(row.task).map { authority.sees($0, plan) } ?? false
    return isSeen ? report.json : report.outline
  }
}
