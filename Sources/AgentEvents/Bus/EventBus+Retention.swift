public import AgentStore
internal import AgentSystem
internal import Synchronization

extension EventBus {
  /// How long events are kept for a durable consumer that acknowledges nothing, whether it is
  /// connected or not: a week, in milliseconds. Otherwise such a consumer would fill the disk.
  public static let consumerPatience: Int64 = 7 * 86_400_000

  /// Removes events from the log by a rule. It works in small steps, and other writes run between
  /// them. The host calls it once a minute.
  ///
  /// Events that a durable consumer hasn't acknowledged are kept, for a consumer that acknowledges
  /// nothing until ``consumerPatience``. After a jump of the clock nothing is removed by its age for an
  /// hour.
  /// - Parameters:
  ///   - maxBytes: the maximum size of all types together. The largest types shrink. Nil means no
  ///     limit.
  ///   - keepsForConsumers: whether events are kept for consumers. It is false while the database is
  ///     so full that other data finds no space.
  ///   - rule: the rule for a type.
  /// - Returns: the number of removed events.
  /// - Throws: `EventError` in a bus without a log, and errors of the store.
  public func retain(
    maxBytes: Int64? = nil, keepsForConsumers: Bool = true,
    _ rule: @Sendable (_ type: String) -> EventRetentionRule
  ) async throws -> Int {
    // This comes first, because a consumer that has acknowledged all its events must not hold back
    // the rest.
    await advanceIdleConsumers()
    let log = try await log()
    let (types, consumers) = try await log.read { snapshot in
      (try snapshot.events.types(), try snapshot.consumers.consumers())
    }
    let moment = now()
    let trustsAges = trustsClock
    // By a clock that isn't believed no consumer counts as gone for a week.
    let needed = keepsForConsumers ? needed(by: consumers, at: trustsAges ? moment : .min) : nil
    let rules = types.map { summary in
      var rule = rule(summary.type)
      rule.keepsAfter = needed
      if !trustsAges { rule.age = nil }
      return rule
    }
    var removed = try await apply(rules, to: log, now: moment)
    if let maxBytes {
      removed += try await shrink(log, to: maxBytes, keepsAfter: needed, now: moment)
    }
    // This comes last, because the steps before may have removed the only events of a type.
    try await forgetTypes(log)
    return removed
  }

  /// A difference between the clocks from which on the wall clock was set. Rationale: ages are
  /// days, for which smaller steps don't matter.
  static let jump = Duration.seconds(600)
  /// A clock that is further than this beyond the newest event when the log is opened may be wrong,
  /// in milliseconds.
  private static let gap: Int64 = 86_400_000

  /// Whether ages may be believed: not before the log is open, not for an hour after the clock has
  /// jumped, nor for an hour after the log was opened by a clock that is a day beyond the newest
  /// event.
  ///
  /// Rationale: a machine without a clock of its own begins at any time, and the network sets the
  /// clock later. Removing by age at that moment removes everything, for good. Sizes need no clock.
  public var trustsClock: Bool {
    let isTrusted = ages.withLock { $0.trusts(ClockSample(wall: now, steady: steady)) }
    // Until the newest event is known, nothing shows that the clock is right.
    if state.withLock({ if case .awaited = $0.log { true } else { false } }) { return false }
    return isTrusted
  }

  /// Compares the clock with the newest event when the log is opened, and not later: what is stored
  /// from then on may have its time from a clock that is wrong.
  func compareClock(with types: [EventTypeSummary]) {
    let sample = ClockSample(wall: now, steady: steady)
    let moment = sample.wall.milliseconds
    // Events from the future say nothing: a clock that was wrong has stored them.
    let newest = types.compactMap(\.last).filter { $0 <= moment }.max()
    // Either the host was away for long, or the clock is wrong. Both look the same. Where all types
    // have events from the future, nothing shows that the clock is right.
    let hasEvents = types.contains { $0.last != nil }
    let isLate = newest.map { moment.subtracting($0) > Self.gap } ?? hasEvents
    ages.withLock { watch in
      _ = watch.jump(at: sample)
      if isLate { watch.distrust(at: sample.steady) }
    }
  }

  /// Returns the position after which a consumer needs all events, nil without such consumers.
  private func needed(by consumers: [ConsumerRow], at moment: Int64) -> Int64? {
    // If several have one name, the one that was seen last counts.
    let open = state.withLock { state in
      Dictionary(state.consumers.values.map { ($0.name, $0.seen) }, uniquingKeysWith: max)
    }
    let oldest = moment.subtractingReportingOverflow(Self.consumerPatience)
    return consumers.filter { consumer in
      let seen = max(open[consumer.name] ?? .min, consumer.updated)
      return oldest.overflow || seen >= oldest.partialValue
    }.map(\.position).min()
  }

  /// Shrinks the largest types until all types fit.
  private func shrink(
    _ log: any Store, to maxBytes: Int64, keepsAfter needed: Int64?, now moment: Int64
  ) async throws -> Int {
    let types = try await log.read { try $0.events.types() }
    guard let cap = FairCap.of(types.map(\.bytes), total: maxBytes) else { return 0 }
    let rules = types.filter { $0.bytes > cap }.map {
      EventRetentionRule(type: $0.type, bytes: cap, keepsAfter: needed)
    }
    return try await apply(rules, to: log, now: moment)
  }

  private func forgetTypes(_ log: any Store) async throws {
    // The read comes first, because a write without changes would still be a transaction.
    let (known, stored) = try await log.read {
      (try $0.events.types(), try $0.events.countOfTypes())
    }
    knownTypes.withLock { $0.refresh(known.lazy.map(\.type)) }
    // The store keeps one empty type, so that its number isn't used twice.
    guard stored > known.count + 1 else { return }
    try await log.write(.freeing) { _ = try $0.events.forgetEmptyTypes() }
  }

  private func apply(
    _ rules: [EventRetentionRule], to log: any Store, now moment: Int64
  ) async throws -> Int {
    // The read comes first, because a write without changes would still be a transaction, each
    // minute and for each type.
    let due = try await log.read { snapshot in
      try rules.filter { try snapshot.events.isDue($0, now: moment) }
    }
    var removed = 0
    for rule in due where !Task.isCancelled {
      removed += try await apply(rule, to: log, now: moment)
    }
    return removed
  }

  private func apply(
    _ rule: EventRetentionRule, to log: any Store, now moment: Int64
  ) async throws -> Int {
    var removed = 0
    while true {
      // `freeing` is allowed while the disk is full. The steps have 1,000 events, because no other
      // write runs during a step.
      let step = try await log.write(.freeing) { transaction in
        try transaction.events.retain(rule, now: moment, limit: 1000)
      }
      removed += step.count
      if step.isFinished || Task.isCancelled { return removed }
    }
  }

  /// Returns the contents of the log by type, sorted by name.
  public func types() async throws -> [EventTypeSummary] {
    try await log().read { try $0.events.types() }
  }
}
