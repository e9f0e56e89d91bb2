import AgentKit
import Synchronization

/// One rule at work.
final class RuleRun: Sendable {
  private struct State {
    var table: RuleTable
    /// The events since the memory was written last, by an earlier run.
    var log = RuleLog()
    /// Distinguishes this rule's causes from those of all others; kept with the place.
    var id = EventID.random()
    /// How far the query has come; nil where it doesn't say.
    var mark: String?
    /// How much is being published: what the table has of it isn't to be written before.
    var publishing = 0
    var isWriting = false
    var isAskedAgain = false
    /// When the memory was written last, by the host's clock.
    var written: Int64?
    /// How long the rule has run, in milliseconds: no clock that is set changes it.
    var elapsed: Int64 = 0
    var warned: Set<String> = []

    /// Whether it was written `pause` milliseconds ago; a clock that was set back counts as that.
    func isTime(_ now: Int64, after pause: Int64) -> Bool {
      guard let written else { return true }
      let (passed, overflow) = now.subtractingReportingOverflow(written)
      return overflow || passed >= pause || passed < 0
    }
  }

  /// How often at most the memory is written while rows come and nothing is said, in milliseconds.
  private static let pause: Int64 = 5_000
  /// And while no rows come.
  private static let idlePause: Int64 = 60_000

  private let rule: RuleSettings
  private let host: AgentHost
  private let query: RuleQuery
  private let memory: RuleMemory
  private let state: Mutex<State>

  init(_ rule: RuleSettings, _ host: AgentHost) {
    self.rule = rule
    self.host = host
    query = RuleQuery(rule.query, condition: rule.condition)
    memory = RuleMemory(host, rule)
    state = Mutex(State(table: RuleTable(rule)))
  }

  /// Runs until the query ends. Throws what the host says when it refuses the query, and when what
  /// was kept can't be read: a rule that began anew would miss what came meanwhile.
  func run() async throws {
    try await recall()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await self.watch() }
      if rule.resolves, rule.silence > 0 { group.addTask { try await self.listenForSilence() } }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  // MARK: The query

  private func watch() async throws {
    do {
      let mark = state.withLock { $0.mark }
      for try await message in host.events.query(query.text, span: rule.span, after: mark).messages
      {
        switch message {
        case .start(let columns): try check(columns)
        case .rows(let batch): try await take(batch)
        case .mark(let mark): await reach(mark)
        case .warning(let text): host.log(.warning, prefix + text)
        case .stop(let reason) where reason == "Limit":
          throw ModuleError(
            .overloaded, "The query holds more than one may; the warning before says what to do.")
        default: break
        }
      }
      await write()
    } catch let error as ModuleError {
      throw ModuleError(error.code, prefix + query.explain(error.message), cause: error.cause)
    } catch {
      // The end was asked for: what was taken since the last time is written, too.
      await write()
      throw error
    }
  }

  private func take(_ batch: QueryMessage.Rows) async throws {
    for (number, row) in batch.rows.enumerated() {
      // With the last row, so that it is written with what comes of it.
      if let mark = batch.mark, number == batch.rows.count - 1 {
        state.withLock { $0.mark = mark }
      }
      try await take(row, place: batch.mark)
    }
    if state.withLock({ $0.isTime(host.now, after: Self.pause) }) { await write() }
  }

  private func take(_ row: QueryRow, place: String?) async throws {
    let holds = query.holds(row)
    let values = query.plain(row)
    guard !RuleEcho(output: rule.output).isHeard(in: values) else { return }
    let firing = state.withLock { state in
      let firing = state.table.take(
        values, holds: holds, at: row.timestamp, elapsed: state.elapsed + tick)
      if firing != nil { state.publishing += 1 }
      return firing
    }
    if let firing { try await publish(firing, place) }
  }

  /// A mark without rows. The first is written at once, so that a crash before any row misses none.
  private func reach(_ mark: String) async {
    let isTime = state.withLock { state in
      state.mark = mark
      return state.isTime(host.now, after: Self.idlePause)
    }
    if isTime { await write() }
  }

  /// An end is published at most a quarter of the silence too late.
  private var tick: Int64 { rule.resolves && rule.silence > 0 ? max(rule.silence / 4, 1000) : 0 }

  private func listenForSilence() async throws {
    while true {
      try await host.sleep(for: .milliseconds(tick))
      let quiet = state.withLock { state in
        // Counted, and not read from a clock, which may be set.
        state.elapsed += tick
        let quiet = state.table.endQuiet(elapsed: state.elapsed)
        state.publishing += quiet.count
        return quiet
      }
      for firing in quiet { try await publish(firing, "silence/\(firing.uid)") }
    }
  }

  // MARK: What is said

  /// Publishes, unless the log has it, and writes that it was said. What throws in between isn't
  /// written: then the row comes again.
  private func publish(_ firing: RuleTable.Firing, _ place: String?) async throws {
    // By its key, as the rows of one place come in another order after a restart.
    let cause = place.map { place in
      let key = RuleMemory.short(JSONValue.array(firing.key).text(), most: 200)
      return
        "\(state.withLock { $0.id })/\(place)/\(key)/\(firing.change.isOver ? "over" : "raised")"
    }
    let wasSaid = state.withLock { state in cause.map { state.log.takes($0) } ?? false }
    if !wasSaid { try await say(firing, cause) }
    state.withLock { $0.publishing -= 1 }
    await write()
  }

  private func say(_ firing: RuleTable.Firing, _ cause: String?) async throws {
    let rendered = RuleText(rule: rule).events(firing, at: host.now)
    let new = state.withLock { state in
      rendered.unknown.filter { state.warned.insert($0).inserted }
    }
    for column in new {
      host.log(.warning, prefix + Self.unknown(column, Array(firing.row.keys)))
    }
    host.log(.info, "\(prefix)\(rendered.text)")
    var events = rendered.events
    if let cause {
      for place in events.indices { events[place].fields[RuleLog.field] = .string(cause) }
    }
    try await host.events.publish(events)
  }

  // MARK: The memory

  /// Restores what was kept, and what was said since.
  private func recall() async throws {
    let place = try await memory.place()
    let saved = try await memory.load()
    let log =
      place?.mark == nil ? RuleLog() : try await RuleLog(host, RuleText(rule: rule).eventType)
    state.withLock { state in
      (state.mark, state.log) = (place?.mark, log)
      if let place { state.id = place.id }
      state.table.restore(
        saved, isComplete: place?.mark != nil, now: host.now, elapsed: state.elapsed + tick)
    }
  }

  /// Writes what has changed, and how far the query has come. A rule goes on where that can't be
  /// done: after a restart it takes the same rows again.
  private func write() async {
    while let (changes, place) = nextToWrite() {
      do {
        try await memory.save(changes, place)
        state.withLock { $0.isWriting = false }
      } catch {
        let isNew = state.withLock { state in
          (state.isWriting, state.isAskedAgain) = (false, false)
          state.table.putBack(changes)
          return state.warned.insert("").inserted
        }
        if isNew { host.log(.warning, "\(prefix)The state of the rules can't be stored: \(error)") }
      }
      guard state.withLock({ $0.isAskedAgain }) else { return }
    }
  }

  /// What is to be written; nil while another write is under way, which then goes on with it, and
  /// while something is being published.
  private func nextToWrite() -> (RuleTable.Changes, RuleMemory.Place)? {
    let now = host.now
    return state.withLock { state in
      guard state.publishing == 0 else { return nil }
      state.isAskedAgain = state.isWriting
      guard !state.isWriting else { return nil }
      (state.isWriting, state.written) = (true, now)
      return (state.table.changes(), RuleMemory.Place(mark: state.mark, id: state.id))
    }
  }

  // MARK: Columns

  /// Where the query says which columns it gives, a template can't name others.
  private func check(_ columns: [String]?) throws {
    guard let columns else { return }
    let known = Set(columns + ["timestamp"])
    let named =
      [
        ("message", rule.message), ("title", rule.title),
        ("resolved_message", rule.resolvedMessage),
      ]
      .flatMap { key, template in (template?.columns ?? []).map { (key, $0) } }
    for (key, column) in named + rule.by.map({ ("by", $0) }) where !known.contains(column) {
      let first = column.split(separator: ".").first.map(String.init) ?? column
      guard !known.contains(first) else { continue }
      throw ModuleError(
        .invalidSettings,
        "\(key): " + Self.unknown(column, columns.filter { $0 != RuleQuery.column }))
    }
  }

  private static func unknown(_ column: String, _ columns: [String]) -> String {
    let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
    return "the query gives no column \"\(column)\"; it gives \(names.isEmpty ? "none" : names)."
  }

  private var prefix: String { rule.name.isEmpty ? "" : "\(rule.name): " }
}
