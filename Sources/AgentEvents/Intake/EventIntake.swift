internal import AgentJSON
internal import Synchronization

/// Accepts events from outside of the agent, a JSON object a line, and stores them in batches in
/// their order.
///
/// While one batch is stored the next one is collected. The reader of the lines calls
/// ``waitForSpace()`` from time to time and waits there while both are full. The memory therefore
/// doesn't depend on the amount of input. Only one batch is stored at a time, so that the accepted
/// events are always the first of those added. Used by one reader.
public final class EventIntake: Sendable {
  /// Defaults and limits of an intake.
  public struct Options: Sendable, Hashable {
    /// The `source` of events without one.
    public var source: String
    /// The `type` of events without one. If it is nil, such events are refused.
    public var type: String?
    /// Whether a batch that can't be stored is tried again until it succeeds.
    public var isPatient: Bool
    /// The number of events that are collected before the reader waits.
    public var events = 1000
    /// The number of bytes that are collected before the reader waits.
    public var bytes = 1 << 20

    public init(source: String, type: String? = nil, isPatient: Bool = false) {
      self.source = source
      self.type = type
      self.isPatient = isPatient
    }
  }

  /// The result for all added events.
  public struct Outcome: Sendable, Hashable {
    /// The number of durable events. They are the first ones added.
    public let accepted: Int
    /// Why the others aren't durable. Nil means that all are.
    public let failure: EventError?
  }

  private let bus: EventBus
  private let options: Options
  private let state = Mutex(EventIntakeState())

  /// Makes an intake for a bus.
  public init(_ bus: EventBus, options: Options) {
    (self.bus, self.options) = (bus, options)
  }

  /// The number of durable events so far.
  public var accepted: Int { state.withLock { $0.accepted } }

  /// Adds the event of a line. A blank line is skipped.
  /// - Throws: `EventError` if the line isn't an event. Nothing has changed then, and other lines
  ///   may be added.
  public func add(_ line: LineSplitter.Line) throws(EventError) {
    if line.isBlank { return }
    var draft = try draft(of: line)
    // The text is made here. Storing may be on the writer's thread, which must stay fast.
    let bytes = draft.encode().count
    let batch = state.withLock { [draft] state in
      state.add(draft, bytes: bytes)
      return state.isFull(options) ? state.next() : nil
    }
    if let batch { store(batch) }
  }

  /// Begins to store the added events, and waits until there is space for more.
  /// - Throws: `EventError` if an event couldn't be stored. Nothing more is stored then.
  ///   `CancellationError` if the task is cancelled.
  public func waitForSpace() async throws {
    if let batch = state.withLock({ $0.next() }) { store(batch) }
    try await wait { [options] in !$0.isFull(options) }
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  /// Waits until all added events are durable, or can't be stored.
  /// - Throws: `CancellationError` if the task is cancelled.
  public func finish() async throws -> Outcome {
    if let batch = state.withLock({ $0.next() }) { store(batch) }
    try await wait { $0.isIdle }
    return state.withLock { Outcome(accepted: $0.accepted, failure: $0.failure) }
  }

  private func draft(of line: LineSplitter.Line) throws(EventError) -> EventDraft {
    if line.isTooLong {
      throw EventError(
        message: "A line holds one event, and at most \(LineSplitter.longestEvent >> 20) MiB.")
    }
    let value: JSONValue
    do {
      value = try JSONValue(parsing: line.bytes)
    } catch {
      throw EventError(message: "This isn't JSON: column \(error.place.column): \(error.message)")
    }
    guard var object = value.object else {
      throw EventError(message: "An event is a JSON object; found \(value.kind).")
    }
    if object["type"] == nil, let type = options.type { object["type"] = .string(type) }
    let draft = try EventDraft(checking: object, source: options.source, now: bus.now())
    // Lines come from outside, whatever source and type the settings give them.
    try EventPublisher.guest.check(
      type: draft.type, source: draft.source, forwarded: bus.forwarded.withLock(\.self))
    try bus.checkLogTakes(draft, of: .guest)
    return draft
  }

  private func store(_ batch: [EventDraft]) {
    let isPatient = options.isPatient
    let stored: EventBus.Completion = { [self] outcome in
      let (next, waiter) = state.withLock { $0.stored(batch.count, outcome) }
      // This is the writer's thread. The next batch is queued before the reader wakes.
      if let next { store(next) }
      waiter?.resume()
    }
    isPatient ? bus.acceptPatiently(batch, stored) : bus.accept(batch, stored)
  }

  private func wait(until isSo: @escaping @Sendable (EventIntakeState) -> Bool) async throws {
    try await withTaskCancellationHandler {
      while !state.withLock({ isSo($0) || $0.failure != nil }) {
        try Task.checkCancellation()
        await withCheckedContinuation { waiter in
          // The condition is checked again under the lock. It may have changed, or the task may
          // have been cancelled, since the check of the loop. Otherwise nothing would wake this
          // continuation.
          let goesOn = state.withLock { state in
            if Task.isCancelled || isSo(state) || state.failure != nil { return true }
            state.waiter = waiter
            return false
          }
          if goesOn { waiter.resume() }
        }
      }
    } onCancel: {
      state.withLock { $0.waiter.take() }?.resume()
    }
  }
}
