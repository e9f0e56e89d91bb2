internal import AgentAssignment
internal import AgentSystem
public import AgentJSON
public import AgentStore
public import AgentTasks
internal import Synchronization

/// Keeps bots, and gives them the tasks that wait for them.
///
/// The database is the record: a task and its assignment change in one transaction, and what is
/// decided is stored with its reasons. Safe from every thread.
public final class TaskDispatcher: Sendable {
  let tasks: TaskEngine
  let clock: LeaseClock
  let pause: @Sendable (Duration) async throws -> Void
  let log: @Sendable (TaskEngine.LogLevel, String) -> Void
  /// Publishes an event.
  let publish: @Sendable (JSONObject) -> Void
  let state = Mutex(DispatcherState())
  let wakeTimer: WakeTimer
  /// Held while the types that bots do are computed and handed over, so that no earlier ones come
  /// after later ones.
  private let routing = Mutex(())
  let recorder = Mutex<(@Sendable (JSONObject, any StoreTransaction) throws -> Void)?>(nil)

  /// - Parameters:
  ///   - tasks: the tasks.
  ///   - pause: waits for a number of milliseconds.
  ///   - now: the clock, in Unix milliseconds.
  ///   - steady: a clock that only ever runs forward, by which it is noticed that `now` was set;
  ///     nil where it isn't.
  ///   - log: takes what people should know of the work itself.
  ///   - publish: takes what has happened, as an event; it must be quick.
  public init(
    tasks: TaskEngine,
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    now: @escaping @Sendable () -> Int64, steady: (@Sendable () -> Duration)? = nil,
    log: @escaping @Sendable (TaskEngine.LogLevel, String) -> Void,
    publish: @escaping @Sendable (JSONObject) -> Void
  ) {
    self.tasks = tasks
    self.pause = pause
    self.log = log
    clock = LeaseClock(wall: now, steady: steady)
    self.publish = publish
    wakeTimer = WakeTimer(pause: pause)
    tasks.observe { [weak self] in self?.tasksDidChange($0) }
    state.withLock { $0.taskPlan = tasks.plan }
    tasks.whenApplied { [weak self] plan, install in
      if let self { take(plan, install) } else { install(nil) }
    }
    // Until `open` has read the bots, an unknown type may be one that a bot does.
    tasks.awaitBots()
    // A jump of the clock makes every silence unsure, and it is decided again.
    clock.whenJumped { [wakeTimer] _ in wakeTimer.ring() }
  }

  /// Unix milliseconds.
  func now() -> Int64 { clock.now() }

  /// Goes by this plan from now on.
  public func apply(_ plan: BotPlan) {
    state.withLock { state in
      state.plan = plan
      (state.looksAtAll, state.silentFrom) = (true, 0)
    }
    adopt()
    routeAndAssign()
  }

  /// Has something else end with the registration of a bot, in the same commit: the tokens that
  /// stand for it. Once, before there are bots.
  /// - Parameter body: gets the bot's id; on the store's thread.
  public func alsoEnding(
    _ body: @escaping @Sendable (String, any StoreTransaction) throws -> Void
  ) {
    state.withLock { $0.ending = body }
  }

  /// Calls `recorder` with an event that somebody has to look at in the transaction of what it
  /// reports, so that both are stored or neither. On the thread that
  /// stores; when it throws, nothing of the transaction is stored. Once, before the dispatcher is
  /// opened.
  public func record(
    _ recorder: @escaping @Sendable (JSONObject, any StoreTransaction) throws -> Void
  ) {
    self.recorder.withLock { $0 = recorder }
  }

  /// The plan that is in force.
  public var plan: BotPlan { state.withLock { $0.plan } }

  /// Works until the task is cancelled. Once, beside the tasks' own run.
  public func run(_ store: any Store) async throws {
    try await open(store)
    await work(store)
  }

  /// Gives out tasks until the task is cancelled. Once it is open.
  public func work(_ store: any Store) async {
    wakeTimer.ring()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.keepAssigning() }
      group.addTask { await self.runRetention(store) }
    }
    await stopLocal(store)
    state.withLock { state in
      _ = state.phase.apply(.end)
      // A bot that waits for an offer would hold up the end of the host.
      for listener in state.listeners.values.flatMap(\.values) { listener.finish() }
    }
  }

  /// Recalls what the database says of bots and of what they have, and answers calls from now on.
  public func open(_ store: any Store) async throws {
    let moment = now()
    let types = plan.types
    let stored = try await store.read { snapshot in
      (
        bots: try Self.bots(in: snapshot.bots, types: types, at: moment),
        open: try snapshot.assignments.openAssignments(),
        strategy: try snapshot.bots.strategy(),
        alarmed: try snapshot.assignments.escalations(step: Self.alarmStep)
      )
    }
    var withheld: [WithheldTypes?] = []
    let lost = try state.withLock { state in
      // A local bot comes from the settings, which win over a stored row with its id.
      for stored in stored.bots where state.local[stored.id] == nil {
        guard let bot = stored.bot else {
          log(.warning, "The bot \(stored.id) can't be read and is left out.")
          continue
        }
        if stored.isCut {
          log(
            .warning,
            "The bot \(stored.id) continues without its metadata and contact_info, which are larger "
              + "than \(BotPlan.maxDataBytes) bytes.")
        }
        state.roster.register(bot)
        state.shares.add(bot.definition.bytes, of: stored.record.owner)
        state.enter(stored.record, for: stored.id)
        withheld.append(state.withhold(from: stored.id))
      }
      guard state.phase.apply(.open(store)) else { throw Self.notReady }
      state.alarmed = Set(stored.alarmed.filter { $0.count > 0 }.map(\.task))
      if let strategy = stored.strategy {
        state.chosenStrategy = try AssignmentStrategy(named: strategy, custom: [strategy])
      }
      return hold(stored.open, &state, at: moment)
    }
    warn(of: withheld)
    route()
    let local = state.withLock { Set($0.local.keys) }
    for bot in lost where local.contains(bot) {
      _ = try await tasks.release(
        bot: bot, note: "The host ended while the task was running.", hasHostEnded: true)
    }
    // After the tasks of local bots were requeued: they may be suspects too.
    try await tasks.separateSuspects(store)
    for bot in lost where !local.contains(bot) {
      await release(bot, note: "The bot isn't registered any more.")
    }
    // A webhook may not have been called before the host ended; its id tells a repeated call.
    for row in stored.open where row.state == .pending { send(row) }
  }

  /// A bot as it was stored.
  private struct StoredBot {
    let id: String
    /// Nil where it can't be read.
    var bot: Bot?
    let record: DispatcherState.Record
    /// Its data was too large and is left out.
    var isCut = false
  }

  /// The stored bots. One row is in memory at a time: a former version took metadata of any size.
  private static func bots(
    in reader: any BotReader, types: [String], at moment: Int64
  ) throws(StoreError) -> [StoredBot] {
    var bots: [StoredBot] = []
    try reader.forEachBot { row in
      var bot = Bot(row, types: types, heardOf: row.beats ? moment : nil)
      let isCut = bot?.definition.dropLargeData() ?? false
      let record = DispatcherState.Record(
        owner: row.owner, beats: row.beats,
        authority: TaskAuthority(stored: row.authority, actor: row.owner),
        bytes: bot?.definition.bytes, since: moment)
      bots.append(StoredBot(id: row.id, bot: bot, record: record, isCut: isCut))
    }
    return bots
  }

  /// - Returns: bots that have something and aren't there.
  private func hold(
    _ open: [AssignmentRow], _ state: inout DispatcherState, at now: Int64
  ) -> Set<String> {
    var lost: Set<String> = []
    for row in open {
      // What a bot of the agent's own had, it doesn't do any more.
      guard state.local[row.bot] == nil,
        state.roster.resume(row.bot, capability: row.capability, at: now) != nil
      else {
        lost.insert(row.bot)
        continue
      }
      state.held[DispatcherState.Key(task: row.task, attempt: row.attempt)] = DispatcherState.Held(
        bot: row.bot, capability: row.capability, strategy: row.strategy)
    }
    return lost
  }

  /// Tells the tasks which types bots do.
  func route() {
    routing.withLock { _ in
      if let types = state.withLock({ $0.knownTypes }) { tasks.leave(types) }
    }
    tasks.flush()
  }

  /// Withholds from bots what the host does under a plan, before it is in force.
  private func take(_ plan: TaskPlan, _ install: @Sendable (TypesOfBots?) -> Void) {
    let withheld = routing.withLock { _ in
      let (withheld, types) = state.withLock { state in
        state.taskPlan = plan
        let withheld = state.roster.bots.map { state.withhold(from: $0.id) }
        state.looksAtAll = true
        return (withheld, state.knownTypes)
      }
      install(types)
      return withheld
    }
    warn(of: withheld)
  }

  /// Says which bots aren't given what they were registered for.
  func warn(of withheld: [WithheldTypes?]) {
    for withheld in withheld.compactMap(\.self) {
      let types = withheld.types.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
      log(
        .warning,
        "The bot \(withheld.bot) gets no tasks of the type \(types): the agent does them, and whoever "
          + "registered the bot may not. An administrator may register it again.")
    }
  }

  func readyStore() throws(TaskError) -> any Store {
    guard let store = state.withLock(\.phase.openStore) else { throw Self.notReady }
    return store
  }

  static var notReady: TaskError {
    TaskError(.notReady, "The agent is starting or ending; try again in a moment.")
  }

  /// Requeues what a bot had.
  func release(_ bot: String, note: String) async {
    // The same limit as in `requeue`: either of the two may be first to requeue a task whose
    // worker has ended.
    let isLocal = state.withLock { $0.local[bot] != nil }
    do {
      try await tasks.release(bot: bot, note: note, maxLost: isLocal ? Self.maxLosses : .max)
    } catch {
      log(.warning, "The tasks of \(bot) can't be requeued now; their leases expire. \(error)")
    }
  }

  private func runRetention(_ store: any Store) async {
    while !Task.isCancelled {
      await endGone()
      guard clock.isTrusted, tasks.clock.isTrusted else {
        // It would go by a clock that was wrong.
        try? await pause(.seconds(600))
        continue
      }
      let moment = now().subtracting(tasks.plan.keep)
      do {
        while try await store.write(
          .freeing,
          {
            try $0.assignments.removeAssignments(endedBefore: moment, limit: 500)
          }) > 0, !Task.isCancelled
        {}
      } catch {
        log(.warning, "Old assignments can't be removed. \(error)")
      }
      try? await pause(.seconds(600))
    }
  }
}
