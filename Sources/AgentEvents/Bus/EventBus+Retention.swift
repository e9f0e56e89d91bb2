public import AgentStore
internal import AgentSystem
internal import Synchronization

extension EventBus {
  /// How long events are kept for a durable consumer that doesn't read, counted from its last
  /// acknowledgement: a week, in milliseconds. Otherwise an abandoned consumer would fill the disk.
  public static let consumerPatience: Int64 = 7 * 86_400_000

  /// Removes events from the log by a rule. It works in small steps, and other writes run between
  /// them. The host calls it once a minute.
  ///
  /// Events that a durable consumer hasn't acknowledged are kept, for a consumer that doesn't read
  /// until ``consumerPatience``. After a jump of the clock nothing is removed by its age for an
  /// hour.
  /// - Parameters:
  ///   - maxBytes: the maximum size of all types together. The largest types shrink. Nil means no
  ///     limit.
  ///   - rule: the rule for a type.
  /// - Returns: the number of removed events.
  /// - Throws: `EventError` in a bus without a log, and errors of the store.
  public func retain(
    maxBytes: Int64? = nil, _ rule: @Sendable (_ type: String) -> EventRetentionRule
  ) async throws -> Int {
    // This comes first, because a consumer that has acknowledged all its events must not hold back
    // the rest.
    try await advanceIdleConsumers()
    let log = try await log()
    let (types, consumers) = try await log.read { snapshot in
      (try snapshot.events.types(), try snapshot.consumers.consumers())
    }
    let moment = now()
    let trustsAges = ages.withLock { $0.trusts(moment) }
    // With an untrusted clock no consumer counts as absent for a week.
    let needed = needed(by: consumers, at: trustsAges ? moment : .min)
    var removed = 0
    for summary in types {
      var rule = rule(summary.type)
      rule.keepsAfter = needed
      if !trustsAges { rule.age = nil }
      removed += try await apply(rule, to: log, now: moment)
    }
    if let maxBytes {
      removed += try await shrink(log, to: maxBytes, keepsAfter: needed, now: moment)
    }
    // This comes last, because the steps before may have removed the only events of a type.
    try await forgetTypes(log)
    return removed
  }

  /// Whether ages are trusted. They aren't for an hour after the clock has jumped, or if the clock
  /// is a day beyond the newest event when the log is opened.
  public var trustsClock: Bool { !ages.withLock { $0.isHeld(at: now()) } }

  /// Returns the position after which a consumer needs all events, nil without such consumers.
  private func needed(by consumers: [ConsumerRow], at moment: Int64) -> Int64? {
    let open = state.withLock { Set($0.consumers.values.map(\.name)) }
    let oldest = moment.subtractingReportingOverflow(Self.consumerPatience)
    return consumers.filter { consumer in
      open.contains(consumer.name) || oldest.overflow || consumer.updated >= oldest.partialValue
    }.map(\.position).min()
  }

  /// Shrinks the largest types until all types fit.
  private func shrink(
    _ log: any Store, to maxBytes: Int64, keepsAfter needed: Int64?, now moment: Int64
  ) async throws -> Int {
    let types = try await log.read { try $0.events.types() }
    guard let level = Self.level(types.map(\.bytes), max: max(0, maxBytes)) else { return 0 }
    var removed = 0
    for type in types where type.bytes > level {
      let rule = EventRetentionRule(type: type.type, bytes: level, keepsAfter: needed)
      removed += try await apply(rule, to: log, now: moment)
    }
    return removed
  }

  /// Returns the maximum size of a type so that all types fit. Nil means that they fit already.
  private static func level(_ sizes: [Int64], max limit: Int64) -> Int64? {
    var (left, count) = (limit, Int64(sizes.count))
    // The smallest types keep their size, and the others share the rest. A type with few events
    // loses nothing to one that floods the log.
    for size in sizes.sorted() {
      let share = left / count
      if size > share { return share }
      (left, count) = (left.subtracting(max(0, size)), count.subtracting(1))
    }
    return nil
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
