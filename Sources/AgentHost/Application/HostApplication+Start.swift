internal import AgentAccess
internal import AgentBots
internal import AgentDiagnostics
internal import AgentEvents
internal import AgentJSON
internal import AgentLogging
internal import AgentModules
internal import AgentProcesses
internal import AgentSettings
internal import AgentStore
internal import AgentSystem
internal import AgentTasks
internal import AgentWorkers
internal import Glibc

/// The start of the host: one step after the other, each noted in the record of starts.
extension HostApplication {
  /// Opens what the host needs before anything runs.
  /// - Returns: whether tasks can be worked on.
  /// - Throws: the error of the step that failed, and `CancellationError` when the host was told to
  ///   end.
  func open() async throws -> Bool {
    let extending = parts.notifier.extendStart()
    defer { extending.cancel() }
    try await step("the end of what a killed host had left, and the schemas for editors") {
      try await FileDeadline.runOnceReady(
        or: "The host can't start", for: "start", within: FileDeadline.startLimit
      ) {
        self.processes.endLeftovers()
        // Without the modules, the schema of an earlier host is the better one.
        guard let read = self.currentSettings.takeRead(), read.catalog != nil else { return }
        self.writeSchemas(of: read)
      }
    }
    guard start.safeMode == nil else { return await openSafely() }
    try await step("the opening of the database") { try await self.openDatabase() }
    try await step("the planning of processes") {
      self.telemetry.modules.keep(StateAccess.names(in: self.settings))
      try await self.processes.addAll()
    }
    // Before modules run, who may ask for work at once.
    return try await step("the opening of tasks, bots and schedules") {
      guard let store = self.database.store else { return false }
      let retry = StoreRetry(log: self.log) { [lifecycle = self.lifecycle] in lifecycle.isEnding }
      return await self.work.open(store, self.settings, retrying: retry)
    }
  }

  /// Opens the database in safe mode, so that users and tokens are known. Without the database the
  /// host still answers on its socket.
  private func openSafely() async -> Bool {
    do {
      try await step("the opening of the database") { try await self.openDatabase() }
      // The host may have died of a task: tasks can be looked at, and removed.
      if let store = database.store { tasks.openSafely(store) }
    } catch {
      log.log(.error, "Safe mode continues without the database. \(error)")
      events.giveUpLog()
    }
    return false
  }

  private func step<Value>(
    _ name: String, _ work: () async throws -> Value
  ) async throws -> Value {
    // A migration can't be ended in the middle, so the end takes effect between two steps.
    if lifecycle.isEnding { throw CancellationError() }
    start.journal.enter(name)
    return try await work()
  }

  /// Opens the database and what is kept in it. Events that were published before are stored now.
  /// While the disk is full, the call waits.
  private func openDatabase() async throws {
    // A token must not outlive the bot that it stands for, so both end in one commit. This is
    // registered before the dispatcher is opened: a bot can end only after that. The opening of
    // the database may be repeated, and the registration isn't.
    bots.alsoEnding { [access] bot, transaction in
      try access.revokeTokens(ofBot: bot, in: transaction)
    }
    try await database.open(
      maxBytes: Int64(settings.store.maxBytes),
      // Safe mode goes on without the database.
      waitsForRoom: start.safeMode == nil,
      // In a task, since the writer's thread calls this and mustn't wait for the supervisor.
      acceptsWrites: { [processes] in Task { await processes.endHindrance() } }
    ) { store in
      let traced = TracedStore(store, tracer)
      try await openAccess(traced)
      // Before the log of events, which begins to store what waits for it.
      if start.safeMode == nil { try await notificationService.prepare(traced) }
      try await events.open(traced)
      parts.state.open(traced)
    }
  }

  /// Reads users and tokens from the database, adds the users of the settings, and prepares the
  /// creation of the first administrator.
  private func openAccess(_ store: any Store) async throws {
    try await access.open(store)
    let outcome = await access.adopt(settings.access)
    // The opening is repeated once there is room. Safe mode goes on without them.
    if let obstacle = outcome.obstacle, obstacle.isLackOfRoom, start.safeMode == nil {
      throw obstacle
    }
    adopted(settings.access, outcome)
    // After the settings' users: with one of them there is no first administrator to create.
    try await FileDeadline.runOnceReady(
      or: "The host can't start", for: "start", within: FileDeadline.startLimit
    ) { [setup = parts.setup] in setup.prepare() }
  }

  /// Adds the users of the settings that don't exist yet. If the database doesn't take them now, it
  /// is tried again until it does, or until there are other settings.
  func adopt(_ settings: AccessSettings) async {
    adopted(settings, await access.adopt(settings))
  }

  private func adopted(_ settings: AccessSettings, _ outcome: GivenUsersOutcome) {
    // One wrong user must not stop the others.
    for refusal in outcome.refusals { log.log(.warning, refusal) }
    guard outcome.obstacle != nil else { return }
    let retry = StoreRetry(log: log) { [lifecycle, currentSettings] in
      lifecycle.isEnding || currentSettings.value.access != settings
    }
    // Nobody waits for it: the disk may be full for long.
    Task { [access, log] in
      do {
        try await retry.run("The users of the settings can't be added.") {
          guard !retry.isEnding() else { return }
          if let obstacle = await access.adopt(settings).obstacle { throw obstacle }
        }
      } catch {
        if !retry.isEnding() {
          log.log(.error, "The users of the settings can't be added. \(error)")
        }
      }
    }
  }

  func writeSchemas(of result: SettingsResult) {
    do {
      try folder.writeSchemas(settings: result.composedSchema)
    } catch {
      log.log(.warning, error.description)
    }
  }

  /// Starts every process that is enabled, waits until the first try of each has settled or its
  /// time is over, says that the host runs, and does tasks until the host ends.
  func bringUp(doesTasks: Bool) async {
    if start.safeMode == nil {
      // Rationale: it isn't waited for when the host ends. A module that hangs must not keep it.
      let starting = Task { await self.processes.startWanted() }
      let hasSettled =
        (try? await lifecycle.stopping.unlessSet(Task { await starting.value })) != nil
      guard hasSettled else { return }
    }
    reportRunning()
    lifecycle.workersAreUp()
    if doesTasks, let store = database.store { await work.run(store) }
  }

  private func reportRunning() {
    let mode = start.safeMode.map { _ in ", in safe mode" } ?? ""
    log.log(
      .notice, "The agent \(settings.agent.name) runs in \(folder.path)\(mode).",
      fields: ["pid": .number(JSONNumber(Int(getpid())))])
    if let safeMode = start.safeMode {
      log.log(.critical, "\(safeMode.sentence) \(SafeMode.remedy)")
    }
    start.journal.enter("the agent runs")
  }

  /// Forgets the failed starts once the host has run for a minute. Not in safe mode: hardly
  /// anything runs in it, and that proves nothing.
  func forgetFailedStarts() async {
    guard start.safeMode == nil else { return }
    do {
      try await Task.sleep(for: .seconds(StartRecord.period))
      start.journal.clear()
    } catch {
      // It ends before; whoever ends it says why.
    }
  }
}
