internal import AgentJSON
internal import Synchronization

/// Takes events in from outside of the agent, a JSON object a line, and stores them in batches, in
/// their order.
///
/// While one batch is stored the next one is gathered. Who reads the lines calls ``room()`` now and
/// then and waits there for as long as both are full, so that the memory that is needed doesn't
/// depend on how much comes. One batch at a time: what was accepted is always the beginning of what
/// was added. For one reader.
public final class EventIntake: Sendable {
  /// How events are taken in.
  public struct Options: Sendable, Hashable {
    /// The `source` of events that have none.
    public var source: String
    /// The `type` of events that have none; without it they are refused.
    public var type: String?
    /// What happens when a batch can't be stored: tried again until it can be, or given up.
    public var isPatient: Bool
    /// How many events are gathered before the reader waits.
    public var events = 1000
    /// How many bytes of them are gathered before the reader waits.
    public var bytes = 1 << 20

    /// What is usual, but for these.
    public init(source: String, type: String? = nil, isPatient: Bool = false) {
      (self.source, self.type, self.isPatient) = (source, type, isPatient)
    }
  }

  /// What became of everything that was added.
  public struct Outcome: Sendable, Hashable {
    /// How many events are durable: the first so many that were added.
    public let accepted: Int
    /// Why the others aren't.
    public let failure: EventError?
  }

  private let bus: EventBus
  private let options: Options
  private let state = Mutex(EventIntakeState())

  /// An intake into this bus.
  public init(_ bus: EventBus, options: Options) {
    (self.bus, self.options) = (bus, options)
  }

  /// How many events are durable so far.
  public var accepted: Int { state.withLock { $0.accepted } }

  /// Adds the event of a line; a blank line is none.
  /// - Throws: `EventError` when the line isn't an event. Nothing has changed then, and others may
  ///   be added.
  public func add(_ line: LineSplitter.Line) throws(EventError) {
    if line.isBlank { return }
    var draft = try draft(of: line)
    // Here and not when it is stored, which may be on the writer's thread.
    let bytes = draft.encode().count
    let batch = state.withLock { [draft] state in
      state.add(draft, bytes: bytes)
      return state.isFull(options) ? state.next() : nil
    }
    if let batch { store(batch) }
  }

  /// Lets what was added be stored, and waits until there is room for more.
  /// - Throws: `EventError` when something could not be stored; nothing more is then.
  ///   `CancellationError` when the task is cancelled.
  public func room() async throws {
    if let batch = state.withLock({ $0.next() }) { store(batch) }
    try await wait { [options] in !$0.isFull(options) }
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  /// Waits until everything that was added is durable, or can't be.
  /// - Throws: `CancellationError` when the task is cancelled.
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
    // What comes by lines comes from outside, whatever the settings call it.
    try EventPublisher.guest.check(
      type: draft.type, source: draft.source, forwarded: bus.forwarded.withLock(\.self))
    try bus.checkLogTakes(draft, of: .guest)
    return draft
  }

  private func store(_ batch: [EventDraft]) {
    let isPatient = options.isPatient
    let stored: EventBus.Completion = { [self] outcome in
      let (next, waiter) = state.withLock { $0.stored(batch.count, outcome) }
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
