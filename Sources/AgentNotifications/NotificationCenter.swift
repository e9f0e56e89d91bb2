public import AgentEvents
internal import AgentJSON
public import AgentMetrics
public import AgentQueries
public import AgentStore
internal import AgentSystem
internal import Synchronization

/// Watches events and queries, keeps alerts, and delivers notices about them.
///
/// A durable consumer reads events from the log. The alert that an event opens, its notices and the
/// position in the log are one commit. Nothing is lost when the host is killed, and the source of
/// an event never waits for the delivery of its notices.
public final class NotificationCenter: Sendable {
  /// The name under which the log is read.
  public static let consumer = "agent/notifications"

  /// How many alerts are kept that are over; with ``AlertExcerpt`` that bounds their bytes, too.
  static let maxAlerts = 20_000
  /// How many deliveries are kept that have ended.
  static let maxDeliveries = 50_000

  let context: NotificationContext
  let watcher: AlertEvaluator
  let dispatcher: NotificationDispatcher
  private let plans: AsyncStream<NotificationPlan>
  private let newPlans: AsyncStream<NotificationPlan>.Continuation
  private let opened = Mutex<(any Store)?>(nil)

  /// - Parameters:
  ///   - metrics: where alerts, deliveries and the queue are counted.
  ///   - queryTiming: the limits of the queries of rules.
  ///   - pause: waits for a duration.
  ///   - now: the clock, in Unix milliseconds.
  ///   - log: takes what people should know of the work itself.
  public init(
    metrics: MetricsRegistry, queryTiming: QueryTiming = QueryTiming(),
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    now: @escaping @Sendable () -> Int64,
    log: @escaping @Sendable (NotificationLogLevel, String) -> Void
  ) {
    context = NotificationContext(
      queryTiming: queryTiming, now: now, pause: pause, log: log
    ) { notifier, outcome in
      metrics.counter(
        "bulkhead_notification_attempts_total",
        help: "Attempts to deliver a notification, by notifier and outcome.",
        labels: ["notifier": notifier, "outcome": outcome]
      ).increment()
    }
    dispatcher = NotificationDispatcher(context)
    watcher = AlertEvaluator(context, timer: dispatcher.wakeTimer)
    (plans, newPlans) = AsyncStream.makeStream(
      of: NotificationPlan.self, bufferingPolicy: .bufferingNewest(1))
    metrics.collect { [weak self] page in await self?.collect(&page) }
  }

  /// Goes by this plan from now on.
  public func apply(_ plan: NotificationPlan) {
    context.plan = plan
    newPlans.yield(plan)
    dispatcher.wakeTimer.ring()
    watcher.wakeTimer.ring()
  }

  /// Subscribes to what is published from now on, although ``run(_:_:)`` comes
  /// later. The host calls it before anything can publish, and again when it has failed: without
  /// it, the alerts of what happens until then would be missed.
  /// - Throws: `StoreError` for a reason that may pass, such as a full disk.
  public func prepare(_ store: any Store) async throws {
    let (plan, moment) = (context.plan, context.now())
    let readsEvents = AlertEvaluator.query(of: plan.rules) != nil
    guard readsEvents || plan.rules.contains(where: { !RuleQuery.plans(of: $0).isEmpty }) else {
      return
    }
    do {
      try await store.write { transaction in
        if readsEvents {
          _ = try transaction.consumers.register(
            Self.consumer, after: transaction.events.lastPosition(), now: moment)
        }
        try RuleQuery.begin(plan, in: transaction, at: moment)
      }
    } catch let error as StoreError where error.mayPass {
      throw error
    } catch {
      context.log(.warning, "Alerts can't watch the log yet. \(error)")
    }
  }

  /// Works until the task is cancelled. Once.
  public func run(_ events: EventBus, _ store: any Store) async {
    opened.withLock { $0 = store }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.dispatcher.run(store) }
      group.addTask { await self.watcher.runTimers(store) }
      group.addTask { await self.runRetention(events, store) }
      group.addTask { await self.watch(events, store) }
    }
    opened.withLock { $0 = nil }
  }

  /// The database, while it is open.
  func store() throws(AlertError) -> any Store {
    guard let store = opened.withLock({ $0 }) else {
      throw AlertError(
        code: .notReady, message: "The agent is still starting; try again in a moment.")
    }
    return store
  }

  /// Watches by each plan until the next.
  private func watch(_ events: EventBus, _ store: any Store) async {
    var watching: Task<Void, Never>?
    for await plan in plans {
      watching?.cancel()
      await watching?.value
      watching = Task { await watcher.watch(plan, events: events, store: store) }
    }
    watching?.cancel()
    await watching?.value
  }

  /// Removes what has been over for long.
  private func runRetention(_ events: EventBus, _ store: any Store) async {
    var failure = RepeatedFailure()
    while !Task.isCancelled {
      // By number everything goes on; by age nothing does that a wrong clock may have made old.
      let moment = events.trustsClock ? context.now().subtracting(context.plan.keep) : .min
      do {
        var removed = Int.max
        while removed > 0, !Task.isCancelled {
          removed = try await store.write(.freeing) { transaction in
            let (deliveries, alerts) = (transaction.deliveries, transaction.alerts)
            return try deliveries.remove(endedBefore: moment, limit: 500)
              + deliveries.remove(endedBeyond: Self.maxDeliveries, limit: 500)
              + alerts.remove(closedBefore: moment, limit: 500)
              + alerts.remove(closedBeyond: Self.maxAlerts, limit: 500)
          }
        }
        if failure.ends() { context.log(.info, "Old alerts and deliveries are removed again.") }
      } catch is CancellationError {
        // The host ends.
      } catch  where failure.begins() {
        context.log(
          .warning, "Old alerts and deliveries can't be removed; the host retries. \(error)")
      } catch {}
      try? await context.pause(.seconds(600))
    }
  }

  private func collect(_ page: inout MetricsPage) async {
    guard let store = try? store(),
      let (alerts, deliveries) = try? await store.read({ snapshot in
        (try snapshot.alerts.alertCounts(), try snapshot.deliveries.deliveryCounts())
      })
    else { return }
    for state in AlertRow.State.allCases {
      page.gauge(
        "bulkhead_alerts", help: "Stored alerts, by state.",
        labels: ["state": state.rawValue], value: alerts[state] ?? 0)
    }
    for count in deliveries {
      page.gauge(
        "bulkhead_notification_deliveries",
        help: "Stored deliveries, by notifier and state.",
        labels: ["notifier": count.notifier, "state": count.state.rawValue], value: count.count)
    }
    let queue = deliveries.filter { [.queued, .failed, .sending].contains($0.state) }
    page.gauge(
      "bulkhead_notification_queue", help: "Notifications that wait for a notifier.",
      value: queue.reduce(0) { $0 + $1.count })
  }
}
