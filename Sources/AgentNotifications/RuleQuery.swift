internal import AgentEvents
internal import AgentJSON
internal import AgentQueries
internal import AgentStore
internal import AgentSystem

/// The query of a rule at work: its rows open or end alerts. The rows and how far the query has come
/// are one commit, so that it resumes there after a restart, a kill or a change of the settings.
struct RuleQuery: Sendable {
  /// What the rows do.
  enum Trigger: String, Sendable, CaseIterable {
    case when
    case until
  }

  /// A query that holds more than it may.
  private struct Overfull: Error, CustomStringConvertible {
    var description: String {
      "It holds more than a query may. The rule misses the events until it runs again."
    }
  }

  /// A query that ended although nobody asked for it.
  private struct Ended: Error, CustomStringConvertible {
    var description: String { "It ended by itself." }
  }

  /// What one run leaves to the next.
  private struct Attempt {
    /// The pause before the next run, in milliseconds.
    var pause = RuleQuery.shortestPause
    /// Whether the next run begins now. One that resumed would exceed its memory at the same row.
    var beginsNow = false
  }

  /// The pauses before a query that failed runs again, in milliseconds. The rows of its windows may
  /// be read again each time.
  private static let shortestPause: Int64 = 2_000
  private static let longestPause: Int64 = 60_000
  /// How long a query must have taken new events until it counts as well, in milliseconds.
  private static let trial: Int64 = 10_000
  /// How often at most a mark without rows is stored, in milliseconds.
  private static let idlePause: Int64 = 60_000

  let rule: AlertRule
  let trigger: Trigger
  let plan: QueryPlan
  let context: NotificationContext
  let events: EventBus
  let store: any Store
  /// Called with what rows have changed, once it is stored.
  let wake: @Sendable (AlertProcessor.Outcome) -> Void

  private var name: String { trigger == .when ? rule.name : "\(rule.name) (\(trigger.rawValue))" }

  /// The queries of a rule.
  static func plans(of rule: AlertRule) -> [(trigger: Trigger, plan: QueryPlan)] {
    [(Trigger.when, rule.when), (.until, rule.until)].compactMap { trigger, source in
      if case .rows(let plan)? = source { (trigger, plan) } else { nil }
    }
  }

  /// Runs the query until the task is cancelled.
  func run() async {
    var attempt = Attempt()
    defer { context.clearTrouble(ofQuery: name) }
    while !Task.isCancelled {
      do {
        try await watch(&attempt)
        if Task.isCancelled { return }
        throw Ended()
      } catch {
        if Task.isCancelled { return }
        attempt.beginsNow = error is Overfull
        if context.report("\(error)", ofQuery: name) {
          context.log(
            .warning, "The query of the rule \(name) has failed. \(error) The host retries.")
        }
      }
      do { try await context.pause(.milliseconds(attempt.pause)) } catch { return }
      attempt.pause = min(attempt.pause.adding(attempt.pause), Self.longestPause)
    }
  }

  private func watch(_ attempt: inout Attempt) async throws {
    var position = try await storedPosition()
    let mark = attempt.beginsNow ? nil : position.mark
    // When new events began to come, and when the position was written last, in Unix milliseconds.
    var (live, written): (Int64?, Int64?) = (nil, nil)
    let outputs = events.outputs(
      of: plan, resuming: QueryResumption(after: mark), timing: context.queryTiming,
      owner: .host)
    for try await element in outputs {
      guard case .message(let message) = element else { continue }
      let now = context.now()
      switch message {
      case .event(let batch) where !batch.rows.isEmpty:
        let rows = position.take(batch, key: rule.key)
        await write(rows, &position)
        written = now
      case .mark(let mark):
        position.reach(mark)
        // The first is written at once, so that a crash before any row misses none.
        if Self.hasPassed(Self.idlePause, since: written, now: now) {
          await write([], &position)
          written = now
        }
      case .startRealTime: live = now
      case .warning(let text): context.log(.warning, "The query of the rule \(name): \(text)")
      case .stop(reason: .limit): throw Overfull()
      default: break
      }
      if let live, Self.hasPassed(Self.trial, since: live, now: now) {
        attempt = Attempt()
        context.clearTrouble(ofQuery: name)
      }
    }
  }

  /// Whether a time has passed. A clock that was set back counts as that.
  private static func hasPassed(_ pause: Int64, since last: Int64?, now: Int64) -> Bool {
    guard let last else { return true }
    return now < last || now.subtracting(last) >= pause
  }

  // MARK: The position

  private func storedPosition() async throws -> RulePosition {
    let stored = try await row()
    let text = plan.query.text.string
    if let stored, stored.query == text { return RulePosition(stored) }
    return RulePosition(
      RulePositionRow(
        rule: rule.name, trigger: trigger.rawValue, query: text, revision: stored?.revision ?? 0))
  }

  private func row() async throws -> RulePositionRow? {
    let (name, trigger) = (rule.name, trigger.rawValue)
    return try await store.read { try $0.alerts.rulePosition(name, trigger: trigger) }
  }

  /// Stores what rows change, and the position behind them, in one transaction.
  private func write(_ rows: [JSONObject], _ position: inout RulePosition) async {
    position.beginWrite()
    let next = position.row
    var isTriedBefore = false
    await context.untilDone("Alerts can't be stored") {
      // A write that reported a fault may be stored all the same. Its rows must not count twice.
      if isTriedBefore, try await row() == next {
        return wake(AlertProcessor.Outcome(notices: 1))
      }
      isTriedBefore = true
      let (now, plan) = (context.now(), context.plan)
      wake(
        try await store.write { transaction in
          let processor = AlertProcessor(plan: plan, transaction: transaction, now: now)
          let outcome = try rows.reduce(into: AlertProcessor.Outcome()) {
            $0.add(try take($1, by: processor))
          }
          try transaction.alerts.set(next)
          return outcome
        })
    }
  }

  private func take(
    _ row: JSONObject, by processor: AlertProcessor
  ) throws -> AlertProcessor.Outcome {
    switch trigger {
    case .when: try processor.handle(row, by: rule)
    case .until: try processor.end(rule, row)
    }
  }
}

// MARK: Positions of all rules

extension RuleQuery {
  /// Makes the new queries of a plan begin here, although they run later.
  static func begin(_ plan: NotificationPlan, in transaction: any StoreTransaction, at now: Int64)
    throws
  {
    for rule in plan.rules {
      for (trigger, query) in plans(of: rule) {
        let text = query.query.text.string
        let stored = try transaction.alerts.rulePosition(rule.name, trigger: trigger.rawValue)
        if stored?.query == text { continue }
        var position = RulePosition(
          RulePositionRow(
            rule: rule.name, trigger: trigger.rawValue, query: text,
            revision: stored?.revision ?? 0))
        switch query.continuation(after: nil, at: now) {
        case .rows:
          position.reach(.position(UInt64(clamping: try transaction.events.lastPosition())))
        case .outputs: position.reach(.moment(now))
        // Such a query begins anew each time.
        case .anew: continue
        }
        position.beginWrite()
        try transaction.alerts.set(position.row)
      }
    }
  }

  /// Forgets the positions of queries that a plan doesn't have.
  static func forgetOthers(_ plan: NotificationPlan, in transaction: any StoreTransaction) throws {
    for position in try transaction.alerts.rulePositions() {
      let queries = plan.rule(position.rule).map(plans) ?? []
      if queries.contains(where: { $0.trigger.rawValue == position.trigger }) { continue }
      try transaction.alerts.removeRulePosition(position.rule, trigger: position.trigger)
    }
  }
}
