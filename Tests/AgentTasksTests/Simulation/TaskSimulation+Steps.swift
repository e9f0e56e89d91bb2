import AgentJSON
import AgentStore
import AgentTasks
import AgentTasksTesting
import TestSupport

/// What is asked of the engine, and what happens to it.
extension TaskSimulation {
  /// One step, which a number decides.
  func step(_ seed: UInt64) throws {
    dice = SeededGenerator(seed: seed)
    switch dice.below(100) {
    case 0..<22: create(1)
    case 22..<26: create(2 + dice.below(4))
    case 26..<48: try endAttempt()
    case 48..<51: progress()
    case 51..<58: cancel()
    case 58..<62: again()
    case 62..<64: change()
    case 64..<80: talkOfBots()
    case 80..<82: leave()
    case 82..<92: try pass()
    case 92..<95: try jump()
    case 95..<97: try crash()
    case 97: try stop()
    default: release()
    }
    if dice.percent(40) { try rest() } else { try go(dice.below(30)) }
    if jobs.count == 0, host.store.count == 0 { try look() }
  }

  /// A task, or tasks of a batch.
  private func create(_ count: Int) {
    let drafts = (0..<count).map { _ in draft() }
    let words = drafts.map { "\($0.name) \($0.type)" }.joined(separator: ", ")
    if count == 1 {
      ask(.create, "create \(words)") { _ = try await $0.create(drafts[0], by: nil) }
    } else {
      ask(.create, "create \(words) together") {
        _ = try await $0.create(drafts, batch: "batch", by: nil)
      }
    }
  }

  private func draft() -> TaskDraft {
    names += 1
    let isDeaf = dice.percent(15)
    var draft = TaskDraft(
      name: "t\(names)\(isDeaf ? " deaf" : "")", type: dice.percent(65) ? "puppet" : "bots")
    var order = TaskOrder()
    draft.priority = [0, 250, 500, 1_000][dice.below(4)]
    draft.waits = dice.percent(8)
    if dice.percent(15) { draft.runAt = clock.now + Int64(dice.below(5_000)) }
    if dice.percent(2) { draft.runAt = Self.extremes[dice.below(4)] }
    // Refused: nobody else sees such a one.
    if dice.percent(2) { draft.priority = Self.extremes[dice.below(4)] }
    switch dice.below(12) {
    case 0: draft.unique = .key("k\(dice.below(3))")
    case 1:
      draft.unique = .whileOpen
      draft.definition.input = .string("\(dice.below(2))")
    case 2: draft.unique = .within(milliseconds: 3_000)
    default: break
    }
    if dice.percent(50) { order.attempts = Int64(2 + dice.below(3)) }
    if dice.percent(5) { (order.initial, order.most) = (Self.tenYears, Self.tenYears) }
    if dice.percent(15) { order.run = Int64(500 + dice.below(3_000)) }
    if dice.percent(12) { order.total = Int64(2_000 + dice.below(10_000)) }
    if dice.percent(10) { order.queued = Int64(1_000 + dice.below(5_000)) }
    if dice.percent(5) { exaggerate(&order) }
    switch dice.below(6) {
    case 0: order.key = "a"
    case 1: (order.key, order.limit) = ("b", 2)
    case 2: (order.key, order.rate) = ("c", TaskRate(clamping: 2, period: 1_500))
    default: break
    }
    orders(draft.name, order, in: &draft.definition)
    return draft
  }

  /// As far from now as numbers go.
  private static let extremes: [Int64] = [.max, .max - 1, .min, .min + 1]
  private static let tenYears: Int64 = 315_360_000_000

  private func exaggerate(_ order: inout TaskOrder) {
    let extreme = Self.extremes[dice.below(4)]
    switch dice.below(4) {
    case 0: (order.initial, order.most) = (extreme, extreme)
    case 1: order.run = extreme
    case 2: order.total = extreme
    default: order.queued = extreme
    }
  }

  private func orders(_ name: String, _ order: TaskOrder, in definition: inout TaskDefinition) {
    rules.orders[name] = order
    (definition.retry.attempts, definition.retry.initial) = (order.attempts, order.initial)
    definition.retry.most = order.most
    definition.saysRetry = true
    definition.timeouts.run = order.run
    definition.timeouts.total = order.total
    definition.timeouts.queued = order.queued
    (definition.concurrencyKey, definition.concurrencyLimit) = (order.key, order.limit)
    definition.rate = order.rate
  }

  private func endAttempt() throws {
    guard let attempt = host.controlled.attempts.randomElement(using: &dice) else {
      return try pass()
    }
    let words = "attempt \(attempt.number) of \(attempt.task)"
    switch dice.below(10) {
    case 0...5:
      say("\(words) is done")
      host.controlled.end(attempt, .success(.succeeded(.string("\(attempt.number)"))))
    case 6, 7:
      say("\(words) fails")
      host.controlled.end(attempt, .success(.failed(error: "no", isFinal: dice.percent(20))))
    case 8:
      say("\(words) throws")
      host.controlled.end(attempt, .failure(ScriptedExecutor.Cancelled()))
    default:
      say("\(words) is put off")
      host.controlled.end(attempt, .success(.snoozed(milliseconds: putOff())))
    }
  }

  /// For how long somebody puts a task off.
  func putOff() -> Int64 {
    dice.percent(5) ? Self.extremes[dice.below(4)] : Int64(dice.below(3_000))
  }

  private func progress() {
    guard let attempt = host.controlled.attempts.randomElement(using: &dice) else { return }
    say("attempt \(attempt.number) of \(attempt.task) has come further")
    host.controlled.progress(attempt, names)
  }

  func anyTask(_ isRight: (TaskRow) -> Bool = { _ in true }) -> TaskRow? {
    rules.rows.values.filter(isRight).sorted { $0.id < $1.id }.randomElement(using: &dice)
  }

  private func cancel() {
    guard let row = anyTask({ !$0.state.isEnded || dice.percent(10) }) else { return }
    let isForced = dice.percent(40)
    ask(.cancel(row.id, isForced: isForced), "cancel \(row.id)\(isForced ? " by force" : "")") {
      _ = try await $0.cancel(row.id, isForced: isForced, by: nil)
    }
  }

  private func again() {
    guard let row = anyTask({ $0.state.isEnded || $0.state == .waiting || dice.percent(10) }) else {
      return
    }
    switch dice.below(10) {
    case 0...3:
      let moment = dice.percent(30) ? clock.now + 1_000 : nil
      ask(.execute(row.id), "execute \(row.id)") {
        _ = try await $0.execute(row.id, at: moment, by: nil)
      }
    case 4...6: ask(.retry(row.id), "retry \(row.id)") { _ = try await $0.retry(row.id, by: nil) }
    case 7: ask(.create, "rerun \(row.id)") { _ = try await $0.rerun(row.id, by: nil) }
    case 8:
      ask(.retryAll, "retry all") {
        _ = try await $0.retryAll(type: nil, states: [.dead, .failed], by: nil)
      }
    default: ask(.delete(row.id), "delete \(row.id)") { try await $0.delete(row.id) }
    }
  }

  private func change() {
    guard let row = anyTask() else { return }
    var edit = TaskEdit()
    edit.priority = dice.percent(5) ? Self.extremes[dice.below(4)] : Int64(dice.below(1_001))
    if dice.percent(20) { edit.tags = ["t"] }
    ask(.edit(row.id), "edit \(row.id)") { [edit] in
      _ = try await $0.update(row.id, edit, by: nil)
    }
  }

  // MARK: Time

  /// Time passes: a little, or until something is to happen.
  private func pass() throws {
    var milliseconds = Int64(1 + dice.below(2_000))
    if dice.percent(40), let next = clock.nextWake { milliseconds = max(1, next) }
    pass(min(milliseconds, 600_000))
  }

  private static let jumps: [Int64] = [3_600_000, -3_600_000, -300, tenYears]

  /// The clock is set. Writes under way were decided by the former time.
  private func jump() throws {
    try rest(mayRefuse: false)
    let isTen = clock.now > 1_700_000_000_000 + Self.tenYears / 2
    let milliseconds = isTen ? -Self.tenYears : Self.jumps[dice.below(4)]
    say("the clock is set by \(milliseconds) ms")
    clock.jump(by: milliseconds)
    rules.jumped(by: milliseconds)
    // Somebody asks for something, which is how it is noticed.
    host.engine.leave(isLeft ? ["puppet"] : [], known: [])
    if dice.percent(50) { try rest(mayRefuse: false) }
  }

  /// Ready work is done before: a computer is quick, though its disk may be slow.
  func pass(_ milliseconds: Int64) {
    while jobs.count > 0 { jobs.run(dice.below(jobs.count)) }
    say("\(milliseconds) ms pass")
    clock.advance(milliseconds)
  }
}
