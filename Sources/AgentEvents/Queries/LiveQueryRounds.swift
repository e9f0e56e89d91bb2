internal import AgentJSON
internal import AgentQueries
internal import AgentSystem
internal import Synchronization

/// Passes events from a subscription to a live query, round by round.
struct LiveQueryRounds {
  /// The maximum number of events of a round. After it the query gets the time and other tasks run.
  private static let roundSize = 512
  /// The shortest time between two entries of a query's costs in the ledger, in milliseconds.
  private static let entryPause: Int64 = 1_000
  /// The time between two marks if no rows have one, in milliseconds.
  private static let markPause: Int64 = 10_000
  /// The time between two checks while the log is read without results, in milliseconds.
  private static let behindPause: Int64 = 100

  private let running: RunningQuery
  private let subscription: EventSubscription
  private let bus: EventBus
  private let held: HeldQuery
  private let number: Int
  private var lastReport: Int64
  private var lastEntry: Int64
  private var lastMark: Int64

  init(
    _ running: RunningQuery, _ subscription: EventSubscription, bus: EventBus, held: HeldQuery,
    number: Int
  ) {
    (self.running, self.subscription) = (running, subscription)
    (self.bus, self.number) = (bus, number)
    self.held = held
    let now = bus.now()
    (lastReport, lastEntry) = (now, now)
    lastMark = now
  }

  /// Whether waiting events can be taken at once.
  var hasMore: Bool { running.isRunning && subscription.waiting > 0 }

  /// The time of the next round in Unix milliseconds, even if no event comes.
  var due: Int64 {
    guard subscription.isBehind else { return running.due ?? .max }
    // `available` isn't called if the reader has caught up and no event waits.
    return bus.now().adding(Self.behindPause)
  }

  /// Takes some of the waiting events, and then reports the time to the query. It is the present if
  /// all events were taken, otherwise the arrival time of the last taken one.
  mutating func takeRound(_ say: (QueryMessage) async throws -> Void) async throws {
    let moment = bus.now()
    // The position is read before the queue. If no event is left afterwards, all events up to this
    // position were taken.
    let newest = bus.state.withLock { $0.position }
    try await held.pass(running.moveClock(moment), to: say)
    for event in subscription.take(Self.roundSize).events {
      try await held.pass(
        running.take(
          event.object, at: event.timestamp, position: event.isStored ? event.position : nil,
          matched: true), to: say)
      try await running.endRow()
      guard running.isRunning else { return }
    }
    let hasAll = subscription.hasCaughtUp
    let seen = hasAll ? nil : bus.deliveryMoment(at: subscription.position)
    try await held.pass(running.advance(to: moment, seen: seen), to: say)
    // A mark promises that everything before it was taken.
    if hasAll { try await mark(newest, at: moment, say) }
    note(at: moment)
  }

  private mutating func mark(
    _ newest: UInt64, at moment: Int64, _ say: (QueryMessage) async throws -> Void
  ) async throws {
    guard Self.isTime(moment, last: lastMark, pause: Self.markPause),
      let mark = running.mark(at: newest)
    else {
      return
    }
    lastMark = moment
    try await say(.mark(mark))
  }

  private mutating func note(at moment: Int64) {
    guard Self.isTime(moment, last: lastEntry, pause: Self.entryPause) else { return }
    lastEntry = moment
    bus.budget.withLock { $0.update(number, stages: running.statistics) }
  }

  /// Reports the costs so far if enough time has passed since the last report.
  mutating func report(_ costs: EventBus.CostReports) async throws {
    let moment = bus.now()
    guard Self.isTime(moment, last: lastReport, pause: costs.pause) else { return }
    lastReport = moment
    try await costs.say(running.statistics)
  }

  /// Returns whether `pause` has passed. A clock that was set back counts as that. Otherwise
  /// reports would stop until the clock catches up.
  private static func isTime(_ now: Int64, last: Int64, pause: Int64) -> Bool {
    let (passed, overflow) = now.subtractingReportingOverflow(last)
    return overflow || passed >= pause || passed < 0
  }
}

extension EventBus {
  /// Returns the clock's time when all events up to a position had been delivered. It is the
  /// distant past if that isn't known any more.
  func deliveryMoment(at position: UInt64) -> Int64 {
    state.withLock { $0.deliveries.moment(at: position) } ?? .min
  }
}
