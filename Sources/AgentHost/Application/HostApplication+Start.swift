internal import AgentDiagnostics
internal import AgentEvents
internal import AgentJSON
internal import AgentLogging
internal import AgentModules
internal import AgentSettings
internal import AgentSupervision
internal import AgentSystem
internal import AgentTasks
internal import AgentWorkers
internal import Glibc
internal import Synchronization

/// The start of the host: one step after the other, each noted in the record of starts.
extension HostApplication {
  /// The most that the host waits for the first try of its processes before it says that it runs.
  static let longestStart = Duration.seconds(60)
  /// How often systemd is asked for more time while the database is opened, and for how much.
  private static let extensionPause = Duration.seconds(10)

  /// Opens what the host needs before anything runs.
  /// - Returns: whether tasks can be worked on.
  /// - Throws: the error of the step that failed, and `CancellationError` when the host was told to
  ///   end.
  func open() async throws -> Bool {
    let extending = Task {
      while !Task.isCancelled {
        // Three times the pause, so that one late wake-up doesn't end the start.
        notifier.starting(for: Self.extensionPause * 3)
        try await Task.sleep(for: Self.extensionPause)
      }
    }
    defer { extending.cancel() }
    try await step("the end of what a killed host had left, and the schemas for editors") {
      await FileWork.run {
        self.endLeftovers()
        self.writeSchemas()
      }
    }
    guard safeMode == nil else { return await openSafely() }
    try await step("the opening of the database") { try await self.openStore() }
    try await step("the planning of processes") { await self.addAll() }
    // Before modules run, who may ask for work at once.
    return try await step("the opening of tasks, bots and schedules") { await self.openTasks() }
  }

  /// Opens the database in safe mode, so that users and tokens are known. Without the database the
  /// host still answers on its socket.
  private func openSafely() async -> Bool {
    do {
      try await step("the opening of the database") { try await self.openStore() }
      // The host may have died of a task: tasks can be looked at, and removed.
      if let store = state.withLock({ $0.store }) { tasks.openSafely(store) }
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
    if ending.isSet { throw CancellationError() }
    journal.enter(name)
    return try await work()
  }

  /// Starts every process that is enabled, waits until the first try of each has settled or its time
  /// is over, says that the host runs, and does tasks until the host ends.
  func bringUp(doesTasks: Bool) async {
    if safeMode == nil {
      // Rationale: it isn't waited for when the host ends. A module that hangs must not keep it.
      let starting = Task { await self.startWanted() }
      guard (try? await stopping.unlessSet(Task { await starting.value })) != nil else { return }
    }
    tellRuns()
    cameUp("workers")
    if doesTasks { await runTasks() }
  }

  private func tellRuns() {
    let mode = safeMode.map { _ in ", in safe mode" } ?? ""
    log.log(
      .notice, "The agent \(settings.agent.name) runs in \(folder.path)\(mode).",
      fields: ["pid": .number(JSONNumber(Int(getpid())))])
    if let safeMode { log.log(.critical, "\(safeMode.sentence) \(SafeMode.remedy)") }
    journal.enter("the agent runs")
  }

  /// Forgets the failed starts once the host has run for a minute. Not in safe mode: hardly
  /// anything runs in it, and that proves nothing.
  func rememberStart() async {
    guard safeMode == nil else { return }
    do {
      try await Task.sleep(for: .seconds(StartRecord.period))
      journal.clear()
    } catch {
      // It ends before; whoever ends it says why.
    }
  }

  private func startWanted() async {
    let wanted = settings.processes.filter(\.enabled).map(\.name)
    // They don't wait: each is started on its module's own thread.
    for name in wanted { state.withLock { $0.inProcess[name] }?.start() }
    let supervised = wanted.filter { name in state.withLock { $0.inProcess[name] == nil } }
    await start(supervised, by: supervisor)
  }

  /// Starts processes and returns once the first try of each has settled, or its time is over. It
  /// runs on the supervisor's thread: a hop there and back for each process would cost time and
  /// memory.
  private func start(_ names: [String], by supervisor: isolated Supervisor) async {
    let limit = startLimit
    let clock = ContinuousClock()
    let deadline = clock.now + limit
    do {
      try await supervisor.start(names)
      var late: [String] = []
      for name in names {
        // One deadline for all, since all were started before the first is waited for.
        let rest = max(.zero, clock.now.duration(to: deadline))
        let status = try await supervisor.settled(name, within: rest)
        if !status.state.isSettled { late.append(name) }
      }
      // A host that ends has stopped them itself. That is no news.
      guard !late.isEmpty, !ending.isSet else { return }
      log.log(
        .warning,
        "Not ready after \(limit.components.seconds) s: \(late.joined(separator: ", ")). The "
          + "agent runs without them and retries.")
    } catch {
      log.log(.error, error.message)
    }
  }

  /// How long the first try of a process may take before the host goes on without it.
  var startLimit: Duration {
    // One second more than the supervisor gives a worker, so that its verdict comes first.
    min(.milliseconds(settings.supervision.readyTimeoutMs) + .seconds(1), Self.longestStart)
  }

  private func addAll() async {
    let settings = settings
    await FileWork.run { [copies = planner.copies] in
      let libraries = settings.modules.compactMap { $0.manifest.libraryPath }
      // Only at the start: later a worker may run, or be restarted, from a former copy.
      copies.removeAll(but: Set(libraries.map(copies.copy)))
    }
    moduleMetrics.keep(StateAccess.names(in: settings))
    await addAll(of: settings)
  }

  private func endLeftovers() {
    let ended = Supervisor.endLeftovers(
      ledger: folder.workers, marker: "AGENT_WORKER_OF=\(folder.path)")
    guard !ended.isEmpty else { return }
    let names = ended.map { worker in
      worker.name.map { "\($0) (\(worker.pid))" } ?? "\(worker.pid)"
    }
    log.log(
      .warning,
      "The previous host was killed. Its remaining processes were ended: "
        + names.joined(separator: ", ") + ".")
  }

  private func writeSchemas() {
    do {
      // Taken: what was read isn't needed any more, and holds the whole document.
      guard let read = state.withLock({ $0.read.take() }) else { return }
      try folder.writeSchemas(settings: read.composedSchema)
    } catch {
      log.log(.warning, "\(error)")
    }
  }
}
