/// Finds the selected tasks: it chooses the statement and its values.
///
/// Each condition uses the index that excludes the most tasks. For an order other than by number,
/// all tasks that match the condition are examined, at most ``TaskSelection/maxSorted``. Whole rows
/// are read only of the tasks in the page. Rationale: an index for each order would have to begin
/// with the state, and would be written three times for each task (docs/benchmarks.md).
struct SQLiteTaskList {
  /// The condition whose index the statement uses.
  private enum Choice: String {
    case batch, parent, schedule, bot, type, trouble, state, states, all
  }

  /// The rows of a page, up to its limit of bytes. A task's texts may have more than a megabyte.
  private struct Rows {
    private(set) var rows: [TaskRow] = []
    private var bytesLeft: Int

    init(_ selection: TaskSelection) { bytesLeft = selection.maxBytes }

    /// Whether no further row fits. The first row always fits.
    var isCut: Bool { bytesLeft <= 0 && !rows.isEmpty }

    mutating func append(_ row: TaskRow) {
      rows.append(row)
      bytesLeft -= min(max(0, bytesLeft), row.bytes)
    }

    func page(before: Int64? = nil, offset: Int = 0) -> TaskPage {
      TaskPage(rows: rows, before: before, offset: offset, isCut: isCut)
    }
  }

  /// The index of the column after those of a task. It shows whether the task matches.
  private static let chosenColumn: Int32 = 34

  private let session: SQLiteSession
  private let selection: TaskSelection

  init(_ session: SQLiteSession, _ selection: TaskSelection) {
    self.session = session
    self.selection = selection
  }

  /// Returns the page of the selection.
  func page() throws(StoreError) -> TaskPage {
    if selection.order != .created { return try sorted().page() }
    guard selection.isDescending else { return try oldest().page() }
    let states = (selection.states ?? []).sorted { $0.rawValue < $1.rawValue }
    let sources = sources(of: states)
    guard choice == .states, sources.count > 1 else {
      return try newest(statement, selection.offset, state: states.first)
    }
    // The index has the tasks of one state in the order of their numbers, but not those of several
    // states. Therefore, the newest tasks of each state are read and merged.
    var rows: [TaskRow] = []
    var cut: Int64?
    var isMore = false
    for (statement, state) in sources {
      let page = try newest(
        statement, 0,
        // All skipped and returned tasks may have this state.
        limit: selection.limit.saturatingAdding(selection.offset), state: state)
      rows += page.rows
      guard let before = page.before else { continue }
      isMore = true
      cut = max(cut ?? before, before)
    }
    rows.sort { $0.id > $1.id }
    // A state that stopped early may have further tasks after its last one. Therefore, only the
    // tasks before the first of these positions are complete.
    if let cut { rows = Array(rows.prefix { $0.id >= cut }) }
    let skipped = min(selection.offset, rows.count)
    var shown = Rows(selection)
    for row in rows[skipped...].prefix(selection.limit) where !shown.isCut { shown.append(row) }
    let isFull = shown.rows.count < rows.count - skipped
    return shown.page(
      before: isFull ? shown.rows.last?.id : isMore ? cut : nil,
      offset: isFull ? 0 : selection.offset - skipped)
  }

  /// The statements whose tasks, together, are those in these states.
  private func sources(of states: [TaskRow.State]) -> [(StaticString, TaskRow.State)] {
    var sources = states.map { state in
      let isEnded = Self.ended.contains(state)
      return (
        isEnded ? SQLiteTaskStatements.ofEndedState : SQLiteTaskStatements.ofOpenState, state
      )
    }
    // A claimed task is stored as `queued`, and that index returns it as one that runs.
    if states.contains(.running), !states.contains(.queued) {
      sources.append((SQLiteTaskStatements.ofClaims, .running))
    }
    return sources
  }

  /// Returns the newest matching tasks, until the page is full or `selection.look` tasks were
  /// examined.
  private func newest(
    _ text: StaticString, _ offset: Int, limit: Int? = nil, state: TaskRow.State?
  ) throws(StoreError) -> TaskPage {
    let statement = try session.statement(text)
    defer { statement.reset() }
    try statement.bind(values(state))
    let limit = max(0, limit ?? selection.limit)
    var found = Rows(selection)
    var left = max(0, offset)
    var looked = 0
    var last: Int64?
    while found.rows.count < limit, !found.isCut, looked < selection.look {
      guard try statement.step() else { return found.page(before: nil, offset: 0) }
      looked += 1
      last = statement.integer(0)
      // The statement returns all tasks, so that the examined ones can be counted.
      guard statement.integer(Self.chosenColumn) != 0 else { continue }
      if left > 0 { left -= 1 } else { found.append(SQLiteTaskReader.row(statement)) }
    }
    return found.page(before: last, offset: left)
  }

  /// Returns a page that is sorted by a key other than the number.
  private func sorted() throws(StoreError) -> Rows {
    try checkCount()
    let statement = try session.statement(SQLiteTaskStatements.sorted)
    defer { statement.reset() }
    try statement.bind(values(nil))
    var found = Rows(selection)
    while !found.isCut, try statement.step() {
      let row = try session.first(
        "SELECT * FROM task_rows WHERE id = ?", .integer(statement.integer(0)),
        row: SQLiteTaskReader.row)
      if let row { found.append(row) }
    }
    return found
  }

  /// Refuses to sort more tasks than the selection allows.
  private func checkCount() throws(StoreError) {
    guard selection.maxSorted < .max else { return }
    let statement = try session.statement(SQLiteTaskStatements.chosen)
    defer { statement.reset() }
    try statement.bind([
      .optional(states), .optional(selection.type), .optional(selection.bot),
      .optional(selection.batch), .optional(selection.parent), .optional(selection.schedule),
      .text(choice.rawValue), .integer(Int64(selection.maxSorted.saturatingAdding(1))),
    ])
    guard try statement.step(), statement.integer(0) <= selection.maxSorted else {
      throw tooMany("sorted")
    }
  }

  /// Returns the oldest matching tasks, until the page is full.
  private func oldest() throws(StoreError) -> Rows {
    let statement = try session.statement(SQLiteTaskStatements.oldest)
    defer { statement.reset() }
    try statement.bind(values(selection.states?.first))
    var found = Rows(selection)
    var left = max(0, selection.offset)
    var looked = 0
    while found.rows.count < selection.limit, !found.isCut, try statement.step() {
      if let before = selection.before, statement.integer(0) >= before { break }
      looked += 1
      if looked > selection.maxSorted { throw tooMany("searched from the oldest") }
      guard statement.integer(Self.chosenColumn) != 0 else { continue }
      if left > 0 { left -= 1 } else { found.append(SQLiteTaskReader.row(statement)) }
    }
    return found
  }

  private func tooMany(_ what: String) -> StoreError {
    StoreError(
      .invalid,
      "At most \(selection.maxSorted) tasks are \(what), and here are more. Choose fewer by batch, "
        + "parent, schedule, bot, type or status, or list the newest first.")
  }

  private static let trouble: Set<TaskRow.State> = [.failed, .dead]
  private static let ended: Set<TaskRow.State> = [.failed, .dead, .succeeded, .cancelled]

  private var choice: Choice {
    if selection.batch != nil { return .batch }
    if selection.parent != nil { return .parent }
    if selection.schedule != nil { return .schedule }
    if selection.bot != nil { return .bot }
    if selection.type != nil { return .type }
    guard let states = selection.states, !states.isEmpty else { return .all }
    if states.isSubset(of: Self.trouble) { return .trouble }
    // The index has no common order of several states, which `oldest` would need.
    guard selection.order == .created, !selection.isDescending else { return .states }
    return states.count == 1 ? .state : .all
  }

  private var statement: StaticString {
    switch choice {
    case .batch: SQLiteTaskStatements.ofBatch
    case .parent: SQLiteTaskStatements.ofParent
    case .schedule: SQLiteTaskStatements.ofSchedule
    case .bot: SQLiteTaskStatements.ofBot
    case .type: SQLiteTaskStatements.ofType
    case .trouble: SQLiteTaskStatements.inTrouble
    case .state, .states:
      selection.states?.isSubset(of: Self.ended) == true
        ? SQLiteTaskStatements.ofEndedState : SQLiteTaskStatements.ofOpenState
    case .all: SQLiteTaskStatements.newest
    }
  }

  /// The states as a JSON list for `json_each`, because the text of a statement is constant and
  /// can't have a parameter for each state.
  private var states: String? {
    selection.states.map { states in
      "[" + states.map { "\"\($0.rawValue)\"" }.joined(separator: ",") + "]"
    }
  }

  private func values(_ state: TaskRow.State?) -> [SQLiteValue] {
    [
      .optional(states), .optional(selection.type), .optional(selection.bot),
      .optional(selection.batch), .optional(selection.parent), .optional(selection.schedule),
      .optional(selection.tag), .optional(selection.text), .text(selection.order.rawValue),
      .integer(selection.isDescending ? 1 : 0), .integer(Int64(max(0, selection.limit))),
      .integer(Int64(max(0, selection.offset))), .text(choice.rawValue),
      .integer(selection.before ?? .max), .optional(state?.rawValue),
    ]
  }
}

extension Int {
  /// Returns the sum, or the greatest number if it would overflow.
  fileprivate func saturatingAdding(_ other: Int) -> Int {
    let (sum, isOver) = addingReportingOverflow(other)
    return isOver ? .max : sum
  }
}
