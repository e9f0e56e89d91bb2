public import AgentEvents
internal import AgentJSON
public import AgentMetrics
public import AgentStore
internal import Synchronization

/// Watches events and queries, keeps alerts, and delivers notices about them.
///
/// An event is read from the log by a durable consumer; the alert that it opens, the notices about
/// it and how far the log was read are one commit. So nothing is lost when the host is killed, and
/// who raised something never waits for who is told of it.
public final class NotificationCenter: Sendable {
  /// The name under which the log is read.
  public static let consumer = "agent/notifications"

  let context: NotificationContext
  let watcher: AlertWatcher
  let courier: Courier
  private let plans: AsyncStream<NotificationPlan>
  private let newPlans: AsyncStream<NotificationPlan>.Continuation
  private let opened = Mutex<(any Store)?>(nil)

  /// - Parameters:
  ///   - metrics: where alerts, deliveries and the queue are counted.
  ///   - pause: waits so long.
  ///   - now: the clock, in Unix milliseconds.
  ///   - log: takes what people should know of the work itself.
  public init(
    metrics: MetricsRegistry,
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    now: @escaping @Sendable () -> Int64,
    log: @escaping @Sendable (NotificationLogLevel, String) -> Void
  ) {
    context = NotificationContext(now: now, pause: pause, log: log) { notifier, outcome in
      metrics.counter(
        "bulkhead_notification_attempts_total",
        help: "Attempts to deliver a notice, by notifier and outcome.",
        labels: ["notifier": notifier, "outcome": outcome]
      ).increment()
    }
    courier = Courier(context)
    watcher = AlertWatcher(context, courier: courier.bell)
    (plans, newPlans) = AsyncStream.makeStream(
      of: NotificationPlan.self, bufferingPolicy: .bufferingNewest(1))
    metrics.collect { [weak self] page in await self?.collect(&page) }
  }

  /// Goes by this plan from now on.
  public func follow(_ plan: NotificationPlan) {
    context.plan = plan
    newPlans.yield(plan)
    courier.bell.ring()
    watcher.bell.ring()
  }

  /// Makes sure that nothing is missed that is published from now on, although ``run(_:_:)`` comes
  /// later.
  public func prepare(_ events: EventBus) async {
    guard AlertWatcher.query(of: context.plan.rules) != nil else { return }
    do {
      try await events.register(consumer: Self.consumer)
    } catch {
      context.log(.warning, "Alerts can't watch the log yet. \(error)")
    }
  }

  /// Works until the task is cancelled. Once.
  public func run(_ events: EventBus, _ store: any Store) async {
    opened.withLock { $0 = store }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.courier.run(store) }
      group.addTask { await self.watcher.keepTime(store) }
      group.addTask { await self.keepTidy(store) }
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
      watching = Task { await watcher.watch(plan, events, store) }
    }
    watching?.cancel()
    await watching?.value
  }

  /// Removes what has been over for long.
  private func keepTidy(_ store: any Store) async {
    while !Task.isCancelled {
      let moment = context.now() - context.plan.keep
      do {
        var removed = Int.max
        while removed > 0, !Task.isCancelled {
          removed = try await store.write(.freeing) { transaction in
            let deliveries = try transaction.deliveries.remove(endedBefore: moment, limit: 500)
            return try transaction.alerts.remove(closedBefore: moment, limit: 500) + deliveries
          }
        }
      } catch {
        context.log(.warning, "Old alerts and deliveries can't be removed. \(error)")
      }
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
        "bulkhead_alerts", help: "Alerts that are kept, by state.",
        labels: ["state": state.rawValue], value: alerts[state] ?? 0)
    }
    for count in deliveries {
      page.gauge(
        "bulkhead_notification_deliveries",
        help: "Deliveries that are kept, by notifier and state.",
        labels: ["notifier": count.notifier, "state": count.state.rawValue], value: count.count)
    }
    let queue = deliveries.filter { [.queued, .failed, .sending].contains($0.state) }
    page.gauge(
      "bulkhead_notification_queue", help: "Notices that wait for a notifier.",
      value: queue.reduce(0) { $0 + $1.count })
  }
}
