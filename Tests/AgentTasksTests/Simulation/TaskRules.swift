import AgentJSON
import AgentStore
import AgentSystem
import AgentTasks

/// What must never be so.
struct BrokenRule: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// The order for a task of the simulation.
struct TaskOrder {
  var attempts: Int64 = 1
  var initial: Int64 = 1_000
  var most: Int64 = 3_600_000
  var run: Int64?
  var total: Int64?
  var queued: Int64?
  var key: String?
  var limit: Int64?
  var rate: TaskRate?

  /// The moment of the attempt that follows a number of failures.
  func wait(after failures: Int64, randomFraction: Double) -> Int64 {
    let doubled = Double(Self.near(initial)) * Double(1 << min(failures - 1, 30))
    return Int64(min(doubled, Double(Self.near(most))) * (1 - 0.5 * randomFraction))
  }

  func end(_ row: TaskRow) -> Int64? {
    total.flatMap { total in row.asked.map { $0 + Self.near(total) } }
  }

  /// When an attempt is stopped.
  func stop(_ row: TaskRow) -> Int64? {
    run.flatMap { run in row.started.map { $0 + Self.near(run) } }
  }

  /// The nearest duration that a task can have.
  static func near(_ milliseconds: Int64) -> Int64 { min(max(milliseconds, 1), 1 << 53) }
}

/// A small model of what tasks may do: it sees every change that is stored, in order, and says what
/// is wrong with it. It knows what was asked for, and nothing of how the engine works.
struct TaskRules {
  static let ageing: Int64 = 2_400
  static let maxLost = 3

  /// The tasks as they must be in the database.
  private(set) var rows: [Int64: TaskRow] = [:]
  /// By the tasks' names.
  var orders: [String: TaskOrder] = [:]
  /// Whose the leases of the present host are.
  private(set) var host = ""
  var isStopping = false
  /// The disk has failed, and the engine hasn't looked yet at what is stored.
  var isInDoubt = false
  let slots: Int
  let randomFraction: Double
  private(set) var controlled: ScriptedExecutor
  /// How often a lease was lost without an end, since somebody last asked for the task.
  var lost: [Int64: Int] = [:]
  /// How often somebody has asked for a task, and how often it was done.
  var asked: [Int64: Int] = [:]
  var done: [Int64: Int] = [:]
  /// When tasks with a rate began, by key; since the host began.
  private var begun: [String: [Int64]] = [:]
  /// The greatest number so far.
  private var last: Int64 = 0

  init(slots: Int, randomFraction: Double, controlled: ScriptedExecutor) {
    self.slots = slots
    self.randomFraction = randomFraction
    self.controlled = controlled
  }

  mutating func began(host: String, controlled: ScriptedExecutor) {
    (self.host, self.controlled) = ("host:\(host)", controlled)
    (isStopping, isInDoubt) = (false, false)
    begun = [:]
  }

  /// The clock was set.
  mutating func jumped(by milliseconds: Int64) {
    begun = begun.mapValues { $0.map { $0 + milliseconds } }
  }

  func order(_ row: TaskRow) -> TaskOrder { orders[row.name] ?? TaskOrder() }

  /// Changes that were stored together.
  mutating func stored(
    _ changes: [StoredChange], for request: SimulatedRequest.Kind?, now: Int64,
    needsReconciliation: Bool
  ) throws {
    if needsReconciliation { isInDoubt = true }
    for change in changes {
      try check(change, request: request, now: now)
      if let row = change.row {
        rows[row.id] = row
      } else if let id = change.former?.id {
        rows[id] = nil
      }
    }
    for change in changes {
      if let row = change.row, row.state.isHeld, let former = change.former, !former.state.isHeld {
        try checkBegun(row, needsReconciliation)
      }
    }
    try checkSlots()
  }

  // MARK: One change

  private mutating func check(
    _ change: StoredChange, request: SimulatedRequest.Kind?, now: Int64
  ) throws {
    guard let row = change.row else { return try checkRemoved(change.former) }
    guard let former = change.former else { return try checkNew(row) }
    guard let known = rows[row.id], known == former else {
      throw BrokenRule("task \(row.id) was changed from what it isn't any more")
    }
    if change.isMove { return try checkMoved(former, row) }
    try checkShape(row, now)
    try checkHistory(former, row)
    if row.attempt != former.attempt + (Self.isGiven(former, row) ? 1 : 0) {
      throw BrokenRule("\(Self.words(former, row)): attempt \(former.attempt) → \(row.attempt)")
    }
    if former.cancelling != nil, !row.state.isEnded, row.cancelling == nil {
      throw BrokenRule("\(Self.words(former, row)) although its end was asked for")
    }
    if let request, Self.mayAsk(request, former), former.state != row.state,
      row.asked != former.asked || !row.state.isHeld && former.state.isEnded
    {
      note(asked: row)
    } else if let request {
      try checkRequested(former, row: row, request: request)
    } else {
      try checkOwn(former, row)
    }
    if row.state == .succeeded, former.state != .succeeded {
      done[row.id, default: 0] += 1
      if done[row.id, default: 0] > asked[row.id, default: 0] {
        throw BrokenRule("task \(row.id) was done twice")
      }
    }
  }

  /// The clock was set: nothing but times has changed.
  private func checkMoved(_ former: TaskRow, _ row: TaskRow) throws {
    var same = row
    same.version = former.version
    same.asked = former.asked
    same.started = former.started
    same.runAt = former.runAt
    same.wake = former.wake
    same.escalateAt = former.escalateAt
    if same != former { throw BrokenRule("task \(row.id) was changed by a clock") }
  }

  private mutating func note(asked row: TaskRow) {
    asked[row.id, default: 0] += 1
    lost[row.id] = 0
  }

  private mutating func checkNew(_ row: TaskRow) throws {
    guard row.id > last else { throw BrokenRule("task \(row.id) has a number twice") }
    last = row.id
    guard [.waiting, .queued, .scheduled].contains(row.state), row.attempt == 0 else {
      throw BrokenRule("task \(row.id) begins as \(row.state)")
    }
    if row.state != .waiting { note(asked: row) }
    if let key = row.uniqueKey, rows.values.contains(where: { $0.uniqueKey == key }) {
      throw BrokenRule("task \(row.id) has a key that another has")
    }
  }

  private func checkRemoved(_ former: TaskRow?) throws {
    guard let former, rows[former.id] != nil, !former.state.isHeld else {
      throw BrokenRule("task \(former?.id ?? 0) was removed while somebody had it")
    }
  }

  private func checkShape(_ row: TaskRow, _ now: Int64) throws {
    func demand(_ isSo: Bool, _ words: String) throws {
      if !isSo { throw BrokenRule("task \(row.id) is \(row.state): \(words)") }
    }
    try demand(row.state.isEnded == (row.finished != nil), "finished \(row.finished ?? 0)")
    try demand(row.state.isHeld == (row.owner != nil), "owner \(row.owner ?? "nobody")")
    try demand(
      [.waiting, .cancelled].contains(row.state) || row.asked != nil, "nobody asked")
    try demand(row.state != .scheduled || row.runAt != nil && row.wake != nil, "without a time")
    try demand(!row.state.isEnded || row.wake == nil && row.cancelling == nil, "not at rest")
    // An ended task stays as it was, also when the clock is set back.
    try demand(row.state.isEnded || row.updated <= now, "changed in the future")
    let order = order(row)
    try demand(row.failures <= max(order.attempts, 1), "\(row.failures) failures")
    if row.state == .queued, let queued = order.queued {
      let end = row.updated.adding(max(queued, 1))
      try demand(
        row.wake.map { $0 <= end } ?? false, "its queue ends at \(row.wake ?? 0), not by \(end)")
    }
  }

  /// The new history entries are a path of the diagram, from the former state to the new one.
  private func checkHistory(_ former: TaskRow, _ row: TaskRow) throws {
    guard row.history.starts(with: former.history) else {
      if row.history.count > 16 << 10 { return }
      throw BrokenRule("the history of task \(row.id) was changed")
    }
    var state = former.state
    for line in row.history.dropFirst(former.history.count).split(separator: UInt8(ascii: "\n")) {
      let value = try JSONValue(parsing: Array(line))
      guard let next = TaskState(name: value["state"]?.string ?? ""),
        next == state || documentedTransitions[state]?.contains(next) == true
      else { throw BrokenRule("the history of task \(row.id) isn't a path: after \(state)") }
      state = next
    }
    guard state == row.state else {
      throw BrokenRule("\(Self.words(former, row)), and its history says \(state)")
    }
  }

  // MARK: What somebody asked for

  /// Whether a request may begin it anew.
  private static func mayAsk(_ request: SimulatedRequest.Kind, _ row: TaskRow) -> Bool {
    switch request {
    case .execute(let id): id == row.id && (row.state == .waiting || row.state.isEnded)
    case .retry(let id): id == row.id && [.failed, .dead, .cancelled].contains(row.state)
    case .retryAll: [.failed, .dead, .cancelled].contains(row.state)
    case .assign(let id, _, let isByHand):
      id == row.id && isByHand && [.waiting, .scheduled].contains(row.state)
    default: false
    }
  }

  /// Whether a lease is in force.
  static func holds(_ lease: TaskLease, _ row: TaskRow?) -> Bool {
    guard let row else { return false }
    return row.state.isHeld && row.attempt == lease.attempt && row.owner == lease.owner
  }

  private mutating func checkRequested(
    _ former: TaskRow, row: TaskRow, request: SimulatedRequest.Kind
  ) throws {
    func demand(_ isSo: Bool) throws {
      if !isSo { throw BrokenRule("\(Self.words(former, row)) for \(request)") }
    }
    switch request {
    case .create, .execute, .retry, .retryAll:
      // A key that has become free.
      let isFree = row.uniqueKey?.hasPrefix("was:\(row.id):") == true
      try demand(former.state == row.state && former.state.isEnded && isFree)
    case .delete: try demand(false)
    case .cancel(let id, let isForced):
      try demand(id == row.id && !former.state.isEnded)
      let asks = former.state == .running && !isForced
      try demand(asks ? row.state == .running && row.cancelling != nil : row.state == .cancelled)
    case .edit(let id): try demand(id == row.id && former.state == row.state)
    case .assign(let id, let bot, let isByHand):
      try demand(id == row.id && row.state == .assigned && row.owner == bot)
      try demand(isByHand || former.state == .queued)
    case .accept(let lease):
      try demand(Self.holds(lease, former) && former.state == .assigned && row.state == .running)
    case .reject(let lease):
      try demand(Self.holds(lease, former))
      try demand(former.cancelling != nil ? row.state == .cancelled : row.state == .queued)
      if row.state == .queued { try checkPlace(former, row) }
    case .heartbeat(let lease):
      try demand(Self.holds(lease, former) && former.state == row.state)
    case .complete(let lease, let outcome):
      try demand(Self.holds(lease, former))
      try demand(matches(former, row: row, outcome: outcome))
    case .release(let bot):
      try demand(former.owner == bot)
      try checkRequeued(former, row)
    }
  }

  // MARK: All together

  /// The task that began was the first of its queue, and the limits of its key permit it.
  private mutating func checkBegun(_ row: TaskRow, _ needsReconciliation: Bool) throws {
    let earlier = rows.values.first {
      row.owner == host && $0.state == .queued && $0.queueKey == row.queueKey
        && ($0.rank, $0.id) < (row.rank, row.id)
    }
    if let earlier { throw BrokenRule("task \(row.id) was begun before \(earlier.id)") }
    let order = order(row)
    guard let key = order.key ?? (order.limit != nil ? row.queueKey : nil) else { return }
    let held = rows.values.count { $0.state.isHeld && (self.order($0).key ?? $0.queueKey) == key }
    if let limit = order.limit ?? (order.rate == nil ? 1 : nil), held > limit, !isInDoubt {
      throw BrokenRule("\(held) with the key \(key) are being done, of \(limit)")
    }
    // A task without a report hasn't begun.
    guard let rate = order.rate, !needsReconciliation else { return }
    begun[key, default: []].append(row.updated)
    let recent = begun[key, default: []].count { $0 > row.updated - rate.period }
    if recent > rate.count { throw BrokenRule("\(recent) of \(key) began within its period") }
  }

  /// Whether nothing but a free place of the host is needed for a task that is queued.
  func mayBegin(_ row: TaskRow, now: Int64) -> Bool {
    let order = order(row)
    guard let key = order.key ?? (order.limit != nil ? row.queueKey : nil) else { return true }
    let held = rows.values.count { $0.state.isHeld && (self.order($0).key ?? $0.queueKey) == key }
    if let limit = order.limit ?? (order.rate == nil ? 1 : nil), held >= limit { return false }
    guard let rate = order.rate else { return true }
    return begun[key, default: []].count { $0 > now - rate.period } < rate.count
  }

  private func checkSlots() throws {
    let running = rows.values.filter { $0.owner == host }.count
    if running > slots, !isInDoubt { throw BrokenRule("the host does \(running) of \(slots)") }
  }

  private static func isGiven(_ former: TaskRow, _ row: TaskRow) -> Bool {
    switch row.state {
    case .assigned:
      former.state != .assigned || former.owner != row.owner || former.attempt != row.attempt
    case .running: former.state == .queued
    default: false
    }
  }

  static func words(_ former: TaskRow, _ row: TaskRow) -> String {
    "task \(row.id) \(former.state) → \(row.state)"
  }
}
