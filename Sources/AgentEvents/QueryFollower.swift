internal import AgentJSON
internal import AgentQueries
internal import AgentSystem
internal import Synchronization

/// A live query and the subscription that it takes from, round by round.
struct QueryFollower {
  /// How many events are taken before the time is told and others get their turn.
  private static let roundSize = 512
  /// How often at most what a query has cost is written down, in milliseconds.
  private static let entryPause: Int64 = 1_000
  /// How often a mark is said while no rows say one, in milliseconds.
  private static let markPause: Int64 = 10_000
  /// How long to wait for a reader of the log that brings nothing, in milliseconds.
  private static let behindPause: Int64 = 100

  private let running: RunningQuery
  private let subscription: EventSubscription
  private let bus: EventBus
  private let number: Int
  private var lastReport: Int64
  private var lastEntry: Int64
  private var lastMark: Int64

  init(_ running: RunningQuery, _ subscription: EventSubscription, bus: EventBus, number: Int) {
    (self.running, self.subscription) = (running, subscription)
    (self.bus, self.number) = (bus, number)
    let now = bus.now()
    (lastReport, lastEntry) = (now, now)
    lastMark = now
  }

  /// Whether events wait that can be taken at once.
  var hasMore: Bool { running.isRunning && subscription.waiting > 0 }

  /// When to look again, whatever comes.
  var due: Int64 {
    guard subscription.isBehind else { return running.due ?? .max }
    // Nobody tells when it has caught up with nothing in its hands.
    return bus.now().adding(Self.behindPause)
  }

  /// Takes some of what waits, then tells the time: the present where all that had come was taken,
  /// else the time when that came which was taken last.
  mutating func takeRound(_ say: (QueryMessage) async throws -> Void) async throws {
    let moment = bus.now()
    // Looked at before what waits is, so that all up to there has been taken if nothing is left.
    let newest = bus.state.withLock { $0.position }
    for message in running.tell(moment) { try await say(message) }
    for event in subscription.take(Self.roundSize).events {
      for message in running.take(
        event.object, at: event.timestamp, position: event.isStored ? event.position : nil,
        matched: true)
      { try await say(message) }
      guard running.isRunning else { return }
    }
    let hasAll = subscription.hasCaughtUp
    let seen = hasAll ? nil : bus.deliveryMoment(at: subscription.position)
    for message in running.advance(to: moment, seen: seen) { try await say(message) }
    if hasAll { try await mark(newest, at: moment, say) }
    note(at: moment)
  }

  private mutating func mark(
    _ newest: UInt64, at moment: Int64, _ say: (QueryMessage) async throws -> Void
  ) async throws {
    guard Self.isTime(moment, lastMark, Self.markPause), let mark = running.mark(at: newest) else {
      return
    }
    lastMark = moment
    try await say(.mark(mark))
  }

  private mutating func note(at moment: Int64) {
    guard Self.isTime(moment, lastEntry, Self.entryPause) else { return }
    lastEntry = moment
    bus.ledger.withLock { $0.update(number, stages: running.figures) }
  }

  /// Says what the query has cost so far, now and then.
  mutating func report(_ costs: EventBus.CostReports) async throws {
    let moment = bus.now()
    guard Self.isTime(moment, lastReport, costs.pause) else { return }
    lastReport = moment
    try await costs.say(running.figures)
  }

  /// Whether so much time has gone by; a clock that was set back counts as that.
  private static func isTime(_ now: Int64, _ last: Int64, _ pause: Int64) -> Bool {
    let (passed, overflow) = now.subtractingReportingOverflow(last)
    return overflow || passed >= pause || passed < 0
  }
}

extension EventBus {
  /// The clock's time when all up to a position had been delivered; the distant past where nobody
  /// knows any more.
  func deliveryMoment(at position: UInt64) -> Int64 {
    state.withLock { $0.deliveries.moment(at: position) } ?? .min
  }
}
