internal import AgentAssignment
internal import AgentSystem
public import AgentJSON
public import AgentStore
public import AgentTasks
internal import Synchronization

/// Registers bots, and assigns waiting tasks to them.
///
/// A task and its assignment change in one transaction, with the reasons for the decision. The
/// memory follows the database. Safe from every thread.
public final class TaskDispatcher: Sendable {
  let tasks: TaskEngine
  let clock: LeaseClock
  let pause: @Sendable (Duration) async throws -> Void
  let log: @Sendable (TaskEngine.LogLevel, String) -> Void
  let publish: @Sendable (JSONObject) -> Void
  let state = Mutex(DispatcherState())
  let wakeTimer: WakeTimer
  /// Milliseconds by the steady clock, for waits that only memory has. It is `now` if there is no
  /// steady clock.
  let ticks: @Sendable () -> Int64
  /// Held while the types that bots run are computed and passed on. Otherwise, an older result
  /// could follow a newer one.
  private let routing = Mutex(())
  let recorder = Mutex<(@Sendable (JSONObject, any StoreTransaction) throws -> Void)?>(nil)

  /// - Parameters:
  ///   - tasks: the engine that stores the tasks.
  ///   - pause: waits for a duration.
  ///   - now: the clock, in Unix milliseconds.
  ///   - steady: a clock that is never set. It shows when `now` was set. Nil doesn't detect that.
  ///   - log: takes messages about the dispatcher's own work.
  ///   - publish: publishes an event. It must return quickly.
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
    ticks = { steady?().wholeMilliseconds ?? now() }
    self.publish = publish
    wakeTimer = WakeTimer(pause: pause)
    // Weak: the dispatcher holds the engine, and the engine holds its observers.
    tasks.observe { [weak self] in self?.tasksDidChange($0) }
    tasks.observeLeases { [weak self] in self?.freeSlots(without: $0) }
    state.withLock { $0.taskPlan = tasks.plan }
    tasks.whenApplied { [weak self] plan, install in
      if let self { take(plan, install) } else { install(nil) }
    }
    // Until `open` has read the bots, an unknown type may be one that a bot runs.
    tasks.awaitBots()
    // After a jump of the clock, the silence of every bot must be computed again.
    clock.whenJumped { [wakeTimer] _ in wakeTimer.ring() }
  }

  /// Returns the present time in Unix milliseconds.
  func now() -> Int64 { clock.now() }

  /// Replaces the plan, and the local bots by those of the plan.
  public func apply(_ plan: BotPlan) {
    state.withLock { state in
      state.plan = plan
      // Other rules may apply to every waiting task and to every bot.
      (state.looksAtAll, state.silentFrom) = (true, 0)
    }
    adopt()
    routeAndAssign()
  }

  /// Adds changes to the transaction that removes a bot: the host revokes the bot's tokens in it.
  /// Called once, before there are bots.
  /// - Parameter body: gets the bot's id. It runs on the writer's thread. If it throws, the bot
  ///   isn't removed.
  public func alsoEnding(
    _ body: @escaping @Sendable (String, any StoreTransaction) throws -> Void
  ) {
    state.withLock { $0.ending = body }
  }

  /// Sets the recorder of events that a person should see. It stores an event in the transaction of
  /// its cause, so that both are stored or neither. It runs on the writer's thread; if it throws,
  /// nothing of the transaction is stored. Called once, before ``open(_:)``.
  public func record(
    _ recorder: @escaping @Sendable (JSONObject, any StoreTransaction) throws -> Void
  ) {
    self.recorder.withLock { $0 = recorder }
  }

  /// The current plan.
  public var plan: BotPlan { state.withLock { $0.plan } }

  /// Opens, then works until the task is cancelled. Called once, while the task engine runs.
  public func run(_ store: any Store) async throws {
    try await open(store)
    await work(store)
  }

  /// Assigns tasks until the task is cancelled. Called once, after ``open(_:)``.
  public func work(_ store: any Store) async {
    wakeTimer.ring()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.keepAssigning() }
      group.addTask { await self.runRetention(store) }
    }
    await stopLocal(store)
    state.withLock { state in
      _ = state.phase.apply(.end)
      // A bot that waits for an offer would delay the end of the host.
      for listener in state.listeners.values.flatMap(\.values) { listener.finish() }
    }
  }

  /// Reads the bots and their assignments, and accepts requests from then on.
  /// - Parameter untilDone: runs each step of the call that needs the store, and may repeat it. The
  ///   call itself can't be repeated once it has read the bots.
  /// - Throws: `notReady` if it was opened before; errors of the store.
  public func open(
    _ store: any Store,
    untilDone: (_ step: () async throws -> Void) async throws -> Void = { try await $0() }
  ) async throws {
    var moment = now()
    let types = plan.types
    var stored = StoredState()
    try await untilDone {
      // Anew each time: a bot can't send a heartbeat before the read has succeeded.
      moment = now()
      stored = try await store.read { [moment] snapshot in
        StoredState(
          bots: try Self.bots(in: snapshot.bots, types: types, at: moment),
          open: try snapshot.assignments.openAssignments(),
          strategy: try snapshot.bots.strategy(),
          unassignable: try snapshot.assignments.escalations(step: Self.unassignableStep))
      }
    }
    var withheld: [WithheldTypes?] = []
    let lost = try state.withLock { [moment] state in
      // The settings define a local bot. They replace a stored bot with the same id.
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
        // No worker runs yet. A worker that starts registers its bot again, and that brings it
        // online.
        if stored.record.isOfWorker {
          _ = state.roster.apply(.said(.offline), to: stored.id, at: moment)
        }
        withheld.append(state.withhold(from: stored.id))
      }
      guard state.phase.apply(.open(store)) else { throw Self.notReady }
      state.unassignable = Set(stored.unassignable.filter { $0.count > 0 }.map(\.task))
      if let strategy = stored.strategy {
        state.chosenStrategy = try AssignmentStrategy(named: strategy, custom: [strategy])
      }
      return hold(stored.open, &state, at: moment)
    }
    warn(of: withheld)
    route()
    let local = state.withLock { Set($0.local.keys) }
    for bot in lost where local.contains(bot) {
      try await untilDone {
        _ = try await tasks.release(
          BotRelease(
            bot: bot, note: "The host ended while the task was running.", hasHostEnded: true))
      }
    }
    // After the tasks of local bots are requeued: they may be suspects too.
    try await untilDone { try await tasks.separateSuspects(store) }
    for bot in lost where !local.contains(bot) {
      let status = state.withLock { $0.roster[bot]?.status.rawValue }
      await release(
        bot, note: status.map { "The bot is \($0)." } ?? "The bot isn't registered any more.")
    }
    // The host may have ended before the call. A repeated call has the same id.
    for row in stored.open where row.state == .pending { send(row) }
  }

  /// What the store has of bots and their assignments.
  private struct StoredState: Sendable {
    var bots: [StoredBot] = []
    var open: [AssignmentRow] = []
    var strategy: String?
    var unassignable: [EscalationRow] = []
  }

  /// A bot that was read from the store.
  struct StoredBot {
    let id: String
    /// Nil if the row can't be read.
    var bot: Bot?
    let record: DispatcherState.Record
    /// Whether the metadata and the contact were removed because they exceed the limit.
    var isCut = false
  }

  /// Reads the stored bots. One row at a time is in memory, because former versions allowed
  /// metadata of any size.
  private static func bots(
    in reader: any BotReader, types: [String], at moment: Int64
  ) throws(StoreError) -> [StoredBot] {
    var bots: [StoredBot] = []
    try reader.forEachBot { bots.append(stored($0, types: types, at: moment)) }
    return bots
  }

  /// Reads a stored bot.
  /// - Parameters:
  ///   - types: the types of bots that the settings define.
  ///   - moment: the moment from which on it is present, in Unix milliseconds.
  static func stored(_ row: BotRow, types: [String], at moment: Int64) -> StoredBot {
    var bot = Bot(row, types: types, heardOf: row.beats ? moment : nil)
    let isCut = bot?.definition.dropLargeData() ?? false
    let record = DispatcherState.Record(
      owner: row.owner, beats: row.beats,
      authority: TaskAuthority(stored: row.authority, actor: row.owner),
      bytes: bot?.definition.bytes, since: moment)
    return StoredBot(id: row.id, bot: bot, record: record, isCut: isCut)
  }

  /// Gives the stored open assignments to their bots.
  /// - Returns: the bots that have assignments but aren't registered or have said that they are
  ///   away, and the local ones.
  private func hold(
    _ open: [AssignmentRow], _ state: inout DispatcherState, at now: Int64
  ) -> Set<String> {
    var lost: Set<String> = []
    for row in open {
      // A local bot's attempt ended with the former process of the host.
      guard state.local[row.bot] == nil,
        state.roster.resume(row.bot, capability: row.capability, at: now) != nil
      else {
        lost.insert(row.bot)
        continue
      }
      state.held[DispatcherState.Key(task: row.task, attempt: row.attempt)] = DispatcherState.Held(
        bot: row.bot, capability: row.capability, strategy: row.strategy,
        number: state.nextNumber(), isStored: true)
      switch state.roster[row.bot]?.lifecycle {
      // The former process ended before it could requeue the tasks.
      case .said(.offline), .said(.error): lost.insert(row.bot)
      case .lost: state.unheard.insert(row.bot)
      default: break
      }
    }
    return lost
  }

  /// Passes the types that bots run to the task engine.
  func route() {
    routing.withLock { _ in
      if let types = state.withLock({ $0.knownTypes }) { tasks.leave(types) }
    }
    // Outside of the lock, because it begins the tasks that the host may run now.
    tasks.flush()
  }

  /// Applies a plan of the tasks before the engine uses it. Withholds from bots the types that the
  /// host runs under it.
  private func take(_ plan: TaskPlan, _ install: @Sendable (TypesOfBots?) -> Void) {
    let withheld = routing.withLock { _ in
      // A type that is withheld must not be left to bots, so that both are computed together.
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

  /// Logs which bots don't get the types that they were registered for.
  func warn(of withheld: [WithheldTypes?]) {
    for withheld in withheld.compactMap(\.self) {
      let types = withheld.types.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
      log(
        .warning,
        "The bot \(withheld.bot) gets no tasks of the type \(types): the agent does them, and whoever "
          + "registered the bot may not. An administrator may register it again.")
    }
  }

  /// Returns the store while something may be written.
  /// - Throws: `notReady` before ``open(_:)`` and after the end.
  func readyStore() throws(TaskError) -> any Store {
    guard let store = state.withLock(\.phase.openStore) else { throw Self.notReady }
    return store
  }

  static var notReady: TaskError {
    TaskError(.notReady, "The agent is starting or ending; try again in a moment.")
  }

  /// Removes old assignments every ten minutes, until the task is cancelled.
  private func runRetention(_ store: any Store) async {
    var failure = RepeatedFailure()
    while !Task.isCancelled {
      await endGone()
      guard clock.isTrusted, tasks.clock.isTrusted else {
        // A clock that was wrong could make every assignment look old.
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
        if failure.ends() { log(.info, "Old assignments are removed again.") }
      } catch is CancellationError {
        // The host ends.
      } catch  where failure.begins() {
        log(.warning, "Old assignments can't be removed; the host retries. \(error)")
      } catch {}
      try? await pause(.seconds(600))
    }
  }
}
