internal import AgentDiagnostics
internal import AgentJSON
internal import AgentLogging
internal import AgentMetrics
internal import AgentModules
internal import AgentSettings
internal import AgentStore
internal import AgentSupervision
internal import AgentSystem
internal import AgentWorkerProtocol
package import AgentWorkers
internal import Glibc
internal import JSONSchema
internal import Synchronization

extension HostApplication {
  // MARK: Looking

  /// The state of the host, its processes and its ports, as `agent status` shows it.
  package func status() async -> HostStatus {
    let children = await supervisor.status()
    let byName = Dictionary(children.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    let settings = settings
    // The settings have as many instances of a pool as it may grow to. Only those that run, or
    // should, are shown.
    let shown = settings.processes.filter { process in
      process.pool == nil || byName[process.name].map { $0.state != .stopped } ?? false
    }
    var reports = shown.map { report($0, byName[$0.name], in: settings) }
    for module in settings.modules where !module.enabledContributions.isEmpty {
      reports.append(report(servicesOf: module, byName["module:\(module.manifest.name)"]))
    }
    let (isReady, listeners, store) = state.withLock { state in
      (!state.awaited.contains("workers"), state.listeners.sorted { $0.key < $1.key }, state.store)
    }
    let change = await changes.underWay
    return HostStatus(
      agent: settings.agent.name, version: SemanticVersion.host.description,
      folder: folder.path, pid: getpid(), startedAt: startedAt, socket: folder.socket,
      url: baseURL, isReady: isReady, database: DatabaseReport(store?.condition),
      processes: reports.map { $0.redacted(by: settings.redactor) },
      // Outside of the lock: a port's report may take a lock of the port's own.
      listeners: listeners.map { $0.value() }, safeMode: safeMode,
      change: change.map { ChangeReport(what: $0.what, since: $0.since) })
  }

  /// The state of one process. Throws `notFound` with the nearest name.
  package func process(_ name: String) async throws(HostError) -> ProcessReport {
    let status = await status()
    if let report = status.processes.first(where: { $0.name == name }) { return report }
    throw unknown(name)
  }

  // MARK: Acting

  /// Starts a process that is stopped, is disabled, or has failed. Returns once its first try has
  /// settled, or its time is over.
  package func start(_ name: String) async throws(HostError) {
    try await act(on: name) { host in
      switch try await host.supervisor.status(name).state {
      // The person wants it now: `retry` forgets the earlier failures, so neither the back-off
      // nor the limit of restarts applies.
      case .failed, .finished, .backingOff: try await host.supervisor.retry(name)
      default: try await host.supervisor.start(name)
      }
      _ = try await host.supervisor.settled(name, within: host.startLimit)
    } inProcess: { worker in
      worker.start()
    }
  }

  /// Stops a process until somebody starts it, or the host restarts.
  package func stop(_ name: String) async throws(HostError) {
    try await act(on: name) { host in
      try await host.supervisor.stop(name)
    } inProcess: { worker in
      worker.stop()
    }
  }

  /// Stops a process and starts it again.
  package func restart(_ name: String) async throws(HostError) {
    try await act(on: name) { host in
      switch try await host.supervisor.status(name).state {
      // There is nothing to stop, and the wait for its next try is cut short.
      case .failed, .finished, .backingOff: try await host.supervisor.retry(name)
      default: try await host.supervisor.restart(name)
      }
      // The old worker may use its whole time to stop before the new one begins its own.
      let stop = Duration.milliseconds(host.settings.supervision.stopTimeoutMs)
      _ = try await host.supervisor.settled(name, within: host.startLimit + stop)
    } inProcess: { worker in
      worker.stop()
      worker.start()
    }
  }

  private func act(
    on name: String, _ supervised: (HostApplication) async throws -> Void,
    inProcess: (InProcessWorker) -> Void
  ) async throws(HostError) {
    let (isKnown, worker) = state.withLock { state in
      (state.planned[name] != nil, state.inProcess[name])
    }
    // The supervisor doesn't know what runs inside the host, so this comes first.
    if let worker { return inProcess(worker) }
    guard isKnown else {
      // In safe mode nothing is planned. "There is no process" would be wrong for one in the
      // settings.
      if safeMode != nil { throw refusedInSafeMode("No process runs") }
      throw unknown(name)
    }
    do {
      try await supervised(self)
    } catch let error as SupervisionError {
      let code: HostError.Code =
        switch error.code {
        case .shuttingDown: .stopping
        case .overtaken: .conflict
        case .deadlinePassed: .deadlineExceeded
        default: .failed
        }
      throw HostError(code, error.message)
    } catch {
      throw HostError(.failed, "\(error)")
    }
  }

  func unknown(_ name: String) -> HostError {
    let names = state.withLock { Array($0.planned.keys) + Array($0.inProcess.keys) }
    let nearest = LikelyName.of(name, among: names)
    return HostError(
      .notFound,
      "There is no process \"\(name)\"."
        + (nearest.map { " Did you mean \"\($0)\"?" } ?? " \"agent process list\" lists them."))
  }

  // MARK: Adding

  /// Adds every process and service worker, without starting any.
  func addAll(of settings: AgentSettings) async {
    for process in settings.processes where isInProcess(process, in: settings) {
      let worker = InProcessWorker(process: process, services: services)
      state.withLock { $0.inProcess[process.name] = worker }
    }
    for module in settings.modules where hasInProcessServices(module) {
      let worker = InProcessWorker(module: module, services: services)
      state.withLock { $0.inProcess[worker.name] = worker }
    }
    await supervise(await FileWork.run { self.plans(for: settings) }, by: supervisor)
  }

  /// Adds what was planned to what is supervised, all in one visit to the supervisor: hops between
  /// its thread and others cost time and memory for each process. A spec that is refused is logged,
  /// and the others are added.
  func supervise(_ plans: [WorkerPlanner.Planned], by supervisor: isolated Supervisor) {
    for planned in plans {
      do {
        try add(planned, to: supervisor)
      } catch {
        log.log(.error, error.message, source: planned.spec.name)
      }
    }
  }

  /// Adds one process to what is supervised.
  func add(
    _ planned: WorkerPlanner.Planned, to supervisor: isolated Supervisor
  ) throws(SupervisionError) {
    try supervisor.add(planned.spec, channel: channel(for: planned.plan))
    // After `add`, which may throw: the next reload compares with this plan, and has to see that
    // the process isn't there.
    state.withLock { $0.planned[planned.spec.name] = planned }
  }

  /// Makes the link of each process that is started for a plan. The supervisor calls it on the
  /// loop's thread.
  func channel(for plan: WorkerPlan) -> WorkerChannelFactory {
    { [weak self, services] connection in
      // Appended, since the link of the worker that this one replaces is still there.
      let link = WorkerLink(plan: plan, connection: connection, services: services)
      self?.state.withLock { $0.links[plan.name, default: []].append(link) }
      return link
    }
  }

  var services: WorkerServices {
    state.withLock { state in
      // Under the lock, so that two first users get the same object.
      let services = state.services ?? makeServices()
      state.services = services
      return services
    }
  }

  private func makeServices() -> WorkerServices {
    let byMethod: [String: any HostService] = [
      "metrics/1": moduleMetrics, "state/1": stateService, "tasks/1": taskService,
    ]
    return WorkerServices(
      events: events, positions: positions, byMethod: byMethod,
      metrics: ServiceMetrics(metrics, services: byMethod.keys.sorted()), tracer: tracer,
      log: { [log] name, level, message in
        log.log(LogLevel(rawValue: level.name) ?? .info, message, source: name)
      },
      recordsDropped: { [metrics] name, count in
        metrics.counter(
          "bulkhead_worker_log_dropped_total",
          help: "Log records of a process that were dropped because they came too fast.",
          labels: ["process": name]
        ).increment(by: count)
      },
      sandboxReached: { [weak self] name, pid, loaded in
        // With the pid, because the report of a former worker says nothing of the present one.
        self?.state.withLock { $0.sandboxes[name] = SandboxReport(loaded, pid: pid) }
      },
      inProcessChanged: { [processEvents] name, reason in
        if let reason { processEvents.failed(name, reason) } else { processEvents.runs(name) }
      },
      ended: { [weak self] link, exit in
        // By identity: the successor's link has the same name.
        self?.state.withLock { $0.links[link.plan.name]?.removeAll { $0 === link } }
        self?.crashes.collect(from: link, exit)
      })
  }
}
