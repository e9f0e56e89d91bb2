import AgentKit
import Synchronization

/// One rule at work.
final class RuleRun: Sendable {
  private let rule: RuleSettings
  private let host: AgentHost
  private let query: RuleQuery
  private let memory: RuleMemory
  private let table: Mutex<RuleTable>
  private let warned = Mutex(Set<String>())

  init(_ rule: RuleSettings, _ host: AgentHost) {
    self.rule = rule
    self.host = host
    query = RuleQuery(rule.query, condition: rule.condition)
    memory = RuleMemory(host, rule)
    table = Mutex(RuleTable(rule))
  }

  /// Runs until the query ends. Throws what the host says when it refuses the query.
  func run() async throws {
    await keep { rule in
      let saved = try await rule.memory.load()
      rule.table.withLock { $0.restore(saved, now: rule.host.now) }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await self.watch() }
      if rule.resolves, rule.silence > 0 { group.addTask { try await self.listenForSilence() } }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  private func watch() async throws {
    do {
      for try await message in host.events.query(query.text, span: rule.span).messages {
        switch message {
        case .start(let columns): try check(columns)
        case .rows(let batch): for row in batch.rows { try await take(row) }
        case .warning(let text): host.log(.warning, prefix + text)
        default: break
        }
      }
    } catch let error as ModuleError {
      throw ModuleError(error.code, prefix + query.explain(error.message), cause: error.cause)
    }
  }

  private func take(_ row: QueryRow) async throws {
    let holds = query.holds(row)
    let values = query.plain(row)
    guard !RuleEcho(output: rule.output).isHeard(in: values) else { return }
    let now = host.now
    let (firing, forgotten) = table.withLock { table in
      (table.take(values, holds: holds, at: row.timestamp, now: now), table.forgets())
    }
    if let firing { try await publish(firing) }
    if !forgotten.isEmpty { await keep { try await $0.memory.forget(forgotten) } }
  }

  private func listenForSilence() async throws {
    while true {
      // What is over is said at most a quarter of the silence too late.
      try await host.sleep(for: .milliseconds(max(rule.silence / 4, 1000)))
      let now = host.now
      for firing in table.withLock({ $0.endQuiet(now: now) }) { try await publish(firing) }
    }
  }

  private func publish(_ firing: RuleTable.Firing) async throws {
    let (text, events, unknown) = RuleText(rule: rule).events(firing, at: host.now)
    let new = warned.withLock { warned in unknown.filter { warned.insert($0).inserted } }
    for column in new {
      host.log(.warning, prefix + Self.unknown(column, Array(firing.row.keys)))
    }
    host.log(.info, "\(prefix)\(text)")
    try await host.events.publish(events)
    // Behind it: after a crash in between it is said twice, and not never.
    await keep { try await $0.memory.save(firing.saved) }
  }

  /// Works on the memory. A rule goes on without it: then it only forgets at a restart.
  private func keep(_ work: (RuleRun) async throws -> Void) async {
    do {
      try await work(self)
    } catch {
      let isNew = warned.withLock { $0.insert("").inserted }
      if isNew { host.log(.warning, "\(prefix)What was said can't be kept: \(error)") }
    }
  }

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
