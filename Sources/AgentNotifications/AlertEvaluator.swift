internal import AgentEvents
internal import AgentJSON
internal import AgentQueries
internal import AgentStore
internal import AgentSystem
internal import Synchronization

/// Passes events, rows of queries and the time to the alerts.
final class AlertEvaluator: Sendable {
  private let context: NotificationContext
  private let timer: WakeTimer
  /// When the log last got a warning that a rule has too many alerts, by rule.
  private let complaints = Mutex<[String: Int64]>([:])
  /// Woken when something may be due.
  let wakeTimer: WakeTimer

  init(_ context: NotificationContext, timer: WakeTimer) {
    self.context = context
    self.timer = timer
    wakeTimer = WakeTimer(pause: context.pause)
  }

  // MARK: Events and rows

  /// Evaluates the rules of a plan until the task is cancelled.
  func watch(_ plan: NotificationPlan, events: EventBus, store: any Store) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.watchEvents(plan, events: events, store: store) }
      for rule in plan.rules {
        for (trigger, query) in RuleQuery.plans(of: rule) {
          let query = RuleQuery(
            rule: rule, trigger: trigger, plan: query, context: context, events: events,
            store: store, wake: { self.wakeParts($0) })
          group.addTask { await query.run() }
        }
      }
      group.addTask { [context] in
        await context.untilDone("The positions of former rules can't be removed") {
          try await store.write { try RuleQuery.forgetOthers(plan, in: $0) }
        }
      }
    }
  }

  private func watchEvents(
    _ plan: NotificationPlan, events: EventBus, store: any Store
  ) async {
    let name = NotificationCenter.consumer
    guard let query = Self.query(of: plan.rules) else {
      // Nothing is kept for nobody's sake.
      await context.untilDone("The consumer \(name) can't be deleted") {
        try await events.forget(consumer: name, by: .host)
      }
      return
    }
    let wakes = WakeTimer(pause: context.pause)
    var consumer: EventSubscription?
    await context.untilDone("Alerts can't watch the log") {
      consumer = try await events.consume(name, query, by: .host) { _ in wakes.ring() }
    }
    guard let consumer else { return }
    defer { events.unsubscribe(consumer) }
    wakes.ring()
    for await _ in wakes.rings {
      while !Task.isCancelled {
        let batch = consumer.take(256).events
        if batch.isEmpty { break }
        await deal(with: batch, plan: plan, events: events, store: store)
      }
    }
  }

  /// Stores the results of events and the position in the log in one transaction.
  private func deal(
    with batch: [Event], plan: NotificationPlan, events: EventBus, store: any Store
  ) async {
    let last = batch.last { $0.isStored }?.position
    var isTriedBefore = false
    await context.untilDone("Alerts can't be stored") { [self] in
      // A write that reported a fault may be stored all the same. Its events must not count twice.
      if isTriedBefore, let last, try await Self.reached(in: store) >= last {
        return wakeParts(AlertProcessor.Outcome(notices: 1))
      }
      isTriedBefore = true
      let now = context.now()
      let outcome = try await events.acknowledge(
        NotificationCenter.consumer, through: last
      ) { transaction in
        let processor = AlertProcessor(plan: plan, transaction: transaction, now: now)
        return try batch.reduce(into: AlertProcessor.Outcome()) {
          $0.add(try processor.handle($1.object))
        }
      }
      wakeParts(outcome)
    }
  }

  /// The stored position in the log.
  private static func reached(in store: any Store) async throws -> UInt64 {
    let name = NotificationCenter.consumer
    return UInt64(
      clamping: try await store.read { try $0.consumers.consumer(name)?.position ?? 0 })
  }

  /// A filter that passes all events that some rule needs.
  static func query(of rules: [AlertRule]) -> EventQuery? {
    let filters = rules.flatMap { [$0.when, $0.until] }.compactMap { trigger -> EventFilter? in
      if case .events(let filter)? = trigger { filter } else { nil }
    }
    guard let first = filters.first else { return nil }
    let tree = FilterTree(.any(filters.map(\.tree)), at: first.tree.range)
    return EventQuery(EventFilter(tree), text: consumerText(rules))
  }

  /// The text that identifies the filter: it distinguishes subscriptions, too.
  private static func consumerText(_ rules: [AlertRule]) -> String {
    "notifications: " + rules.map(\.name).joined(separator: ", ")
  }

  /// Whether the last warning about a rule is old enough for another one.
  private func isNews(_ rule: String) -> Bool {
    let now = context.now()
    return complaints.withLock { complaints in
      if let last = complaints[rule], now.subtracting(last) < 600_000 { return false }
      complaints[rule] = now
      return true
    }
  }

  // MARK: Time

  /// Handles due alerts until the task is cancelled.
  func runTimers(_ store: any Store) async {
    // The clock at the last run of the host is unknown.
    var latest = Int64.max
    wakeTimer.ring()
    for await _ in wakeTimer.rings {
      do {
        let now = context.now()
        if now < latest { try await store.write { try $0.alerts.hasten(at: now) } }
        latest = now
        while let due = try await store.read({ try $0.alerts.nextDue() }) {
          let (now, plan) = (context.now(), context.plan)
          guard due <= now else {
            wakeTimer.ring(at: due, now: now)
            break
          }
          let outcome = try await store.write { transaction in
            try AlertProcessor(plan: plan, transaction: transaction, now: now).advance(limit: 200)
          }
          if outcome.notices > 0 { timer.ring() }
        }
      } catch {
        context.log(.warning, "Alerts can't be processed now. \(error)")
        wakeTimer.ring(at: context.now().adding(5_000), now: context.now())
      }
    }
  }

  /// Wakes the parts that continue with an outcome.
  func wakeParts(_ outcome: AlertProcessor.Outcome) {
    if outcome.notices > 0 { timer.ring() }
    wakeTimer.ring()
    for rule in outcome.refused.sorted() where isNews(rule) {
      context.log(
        .warning,
        "The rule \(rule) has \(AlertProcessor.maxOfARule) open alerts, and opens no more. "
          + "Fewer fields in \"group\" make fewer alerts.")
    }
  }
}
