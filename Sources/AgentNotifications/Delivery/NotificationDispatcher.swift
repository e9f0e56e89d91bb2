internal import AgentJSON
internal import AgentStore
internal import AgentSystem
internal import Synchronization

/// Sends queued notices through their notifiers, each with a limited number at once, and stores the
/// results.
final class NotificationDispatcher: Sendable {
  private let state = Mutex(DispatchState())
  private let context: NotificationContext
  /// Woken when a notice was queued, a notifier has a free slot, or the plan has changed.
  let wakeTimer: WakeTimer

  init(_ context: NotificationContext) {
    self.context = context
    wakeTimer = WakeTimer(pause: context.pause)
  }

  /// Delivers until the task is cancelled.
  func run(_ store: any Store) async {
    await withDiscardingTaskGroup { group in
      // The clock at the last run of the host is unknown.
      var latest = Int64.max
      wakeTimer.ring()
      for await _ in wakeTimer.rings {
        do {
          let now = context.now()
          if now < latest { try await store.write { try $0.deliveries.hasten(at: now) } }
          latest = now
          try await requeueInterrupted(in: store)
          for delivery in try await claim(in: store) {
            group.addTask { await self.deliver(delivery, store) }
          }
          let plan = context.plan
          let full = state.withLock { $0.full(plan) }
          if let next = try await store.read({ try $0.deliveries.nextDelivery(without: full) }) {
            wakeTimer.ring(at: next, now: context.now())
          }
        } catch {
          context.log(.warning, "Notifications can't be delivered now. \(error)")
          wakeTimer.ring(at: context.now().adding(5_000), now: context.now())
        }
      }
      group.cancelAll()
    }
  }

  // MARK: Which are next

  /// Requeues deliveries that are marked as being sent and aren't. The end of the host interrupted
  /// them, or their claim reported a fault and was stored.
  private func requeueInterrupted(in store: any Store) async throws {
    let (isNeeded, sending) = state.withLock { ($0.needsReconciliation, $0.sending) }
    guard isNeeded else { return }
    let now = context.now()
    _ = try await store.write { try $0.deliveries.requeueInterrupted(except: sending, now: now) }
    state.withLock { $0.needsReconciliation = false }
  }

  /// Marks queued notices as being sent, as far as their notifiers have free slots.
  private func claim(in store: any Store) async throws -> [DeliveryRow] {
    let now = context.now()
    let plan = context.plan
    let names = try await store.read { try $0.deliveries.notifiersDue(by: now) }
    let free = state.withLock { $0.free(names, plan) }
    guard !free.isEmpty else { return [] }
    let claimed: [DeliveryRow]
    do {
      claimed = try await store.write { try Self.claim(free, in: $0.deliveries, now) }
    } catch {
      state.withLock { $0.needsReconciliation = true }
      throw error
    }
    state.withLock { $0.claimed(claimed) }
    return claimed
  }

  private static func claim(
    _ free: [(name: String, capacity: Int)], in deliveries: any DeliveryStorage, _ now: Int64
  ) throws -> [DeliveryRow] {
    try free.flatMap { name, capacity in
      try deliveries.due(name, by: now, limit: capacity).map { row in
        var row = row
        row.state = .sending
        row.attempts = row.attempts.adding(1)
        row.updated = now
        try deliveries.update(row)
        return row
      }
    }
  }

  // MARK: One of them

  private func deliver(_ delivery: DeliveryRow, _ store: any Store) async {
    let entry = context.plan.notifiers[delivery.notifier]
    let failure = await attempt(delivery, entry)
    // A delivery that the end of the host interrupted is requeued at the next start.
    if Task.isCancelled, failure != nil { return }
    var row = delivery
    row.updated = context.now()
    if let failure {
      row.error = context.plan.redact(failure.message)
      let wait = RetryPolicy(entry).wait(
        after: row.attempts, failure, randomFraction: Double.random(in: 0...1))
      row.state = wait == nil ? .givenUp : .failed
      row.next = row.updated.adding(wait ?? 0)
    } else {
      row.state = .delivered
      row.error = nil
    }
    let done = row
    await context.untilDone("The outcome of a delivery can't be stored") {
      try await store.write { try $0.deliveries.update(done) }
    }
    report(done)
    state.withLock { $0.ended(delivery) }
    wakeTimer.ring()
  }

  /// Sends one that nobody else sends, once.
  /// - Returns: what became of it.
  func tryOnce(_ delivery: DeliveryRow, _ store: any Store) async throws -> DeliveryRow {
    let failure = await attempt(delivery, context.plan.notifiers[delivery.notifier])
    var row = delivery
    row.updated = context.now()
    row.state = failure == nil ? .delivered : .givenUp
    row.error = failure.map { context.plan.redact($0.message) }
    row.next = row.updated
    let done = row
    try await store.write { try $0.deliveries.update(done) }
    report(done)
    return done
  }

  private func attempt(_ delivery: DeliveryRow, _ entry: NotifierEntry?) async -> DeliveryFailure? {
    guard let entry else {
      return DeliveryFailure(
        "There is no notifier \"\(delivery.notifier)\" in the settings any more.")
    }
    let notice: Notice
    do {
      notice = Notice(try JSONValue(stored: delivery.notice).object ?? [:])
    } catch {
      return DeliveryFailure("The notification can't be read any more: \(error)", isFinal: true)
    }
    do {
      try await Deadline.run(
        milliseconds: entry.timeout, pause: context.pause
      ) { try await entry.notifier.deliver(notice) }
      return nil
    } catch let failure as DeliveryFailure {
      return failure
    } catch {
      return DeliveryFailure("\(error)")
    }
  }

  /// The notifiers whose last attempt has failed, and why.
  var troubles: [(notifier: String, error: String)] {
    let plan = context.plan
    return state.withLock { $0.troubles(plan) }
  }

  private func report(_ row: DeliveryRow) {
    context.count(row.notifier, row.state.rawValue)
    state.withLock { $0.attempted(row) }
    // The sender of a test gets its result.
    guard row.kind != NoticeKind.test.rawValue else { return }
    switch row.state {
    case .failed:
      context.log(
        .warning,
        "A notification could not be delivered to \(row.notifier) and is retried: "
          + (row.error ?? ""))
    case .givenUp:
      context.log(
        .error,
        "A notification to \(row.notifier) was given up after attempt \(row.attempts): "
          + "\(row.error ?? "") \"agent notify deliveries\" shows it.")
    case .delivered, .queued, .sending: break
    }
  }
}
