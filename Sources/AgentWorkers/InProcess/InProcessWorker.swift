internal import AgentJSON
internal import AgentModuleLoader
internal import AgentModules
package import AgentSettings
internal import AgentSystem
internal import AgentTraces
package import AgentWorkerProtocol
internal import Glibc
internal import Synchronization

/// A process, or the other contributions of a module, inside the host. The settings trust the
/// module (`"isolation": "host"`). Its calls are faster, but the module isn't contained: its faults
/// end the host.
package final class InProcessWorker: Sendable {
  private enum Phase {
    case stopped
    case running
    case failed(String)
    case finished(String?)
  }

  /// What one start has created.
  private struct Start {
    let services: InProcessServices
    var instances: [ContributionName: ContributionInstance] = [:]
  }

  private struct State {
    var phase = Phase.stopped
    /// The latest start, until its instances are stopped.
    var start: Start?
    var nextCall: UInt64 = 1
  }

  package let name: String
  private let manifest: Manifest
  private let type: String
  private let configured: [(name: ContributionName, settings: [UInt8])]
  private let services: WorkerServices
  private let thread: ModuleThread
  private let pause: Pause
  private let state = Mutex(State())

  /// Waits for a time-out. Throws when the waiting task is cancelled.
  typealias Pause = @Sendable (Duration) async throws -> Void

  private init(
    name: String, manifest: Manifest, type: String,
    configured: [(name: ContributionName, settings: [UInt8])], services: WorkerServices,
    thread: ModuleThread, pause: @escaping Pause = { try await Task.sleep(for: $0) }
  ) {
    self.name = name
    self.manifest = manifest
    self.type = type
    self.configured = configured
    self.services = services
    self.thread = thread
    self.pause = pause
  }

  /// Creates the worker of a process.
  package convenience init(process: ProcessSettings, services: WorkerServices) {
    self.init(process: process, services: services, thread: ModuleThread())
  }

  /// Creates the worker of a process whose calls are made on `thread`.
  convenience init(
    process: ProcessSettings, services: WorkerServices, thread: ModuleThread,
    pause: @escaping Pause = { try await Task.sleep(for: $0) }
  ) {
    self.init(
      name: process.name, manifest: process.module, type: process.contribution.name,
      configured: [(process.contribution.wireName, process.settings.bytes())], services: services,
      thread: thread, pause: pause)
  }

  /// Creates the worker of the contributions of a module that aren't processes. Declared functions
  /// are left out, because they always run in a worker process.
  package convenience init(module: ModuleSettings, services: WorkerServices) {
    let own = Set(module.manifest.contributions.map(\.wireName))
    self.init(
      name: "module:\(module.manifest.name)", manifest: module.manifest, type: "",
      configured: module.enabledContributions.map {
        ($0.contribution.wireName, $0.settings.bytes())
      }.filter { own.contains($0.0) }, services: services, thread: ModuleThread())
  }

  /// Returns whether the worker serves this contribution.
  package func offers(_ contribution: ContributionName) -> Bool {
    configured.contains { $0.name == contribution }
  }

  /// Loads, creates and starts the module on its thread, unless it already runs. Returns at once. A
  /// failure is shown by the worker's state, a log record and an event.
  package func start() {
    do {
      try thread.start()
    } catch {
      // The failure is reported here and not on the module's thread, because there is no thread.
      return failed(error)
    }
    thread.run { [self] in startNow() }
  }

  /// Stops the module and frees its instances on its thread. Returns at once.
  package func stop() { thread.run { [self] in stopNow() } }

  /// Calls a contribution and returns its answer. If the module doesn't run, the worker starts it
  /// first.
  /// - Parameter deadline: the deadline for the module, in Unix milliseconds.
  /// - Throws: `deadlineExceeded` after `timeout`. The call then goes on, because the host can't
  ///   end code that runs inside it.
  package func invoke(
    _ contribution: ContributionName, input: [UInt8], deadline: Int64, timeout: Duration,
    listener: CallListener = CallListener()
  ) async throws(WorkerError) -> [UInt8] {
    // The trace is read here, because the module's thread doesn't belong to the caller's task.
    let trace = Tracer.current
    let answer = Answer()
    do {
      try thread.start()
    } catch {
      failed(error)
      throw error
    }
    thread.run { [self] in
      startNow()
      call(
        contribution, input: input, deadline: deadline, trace: trace, listener: listener,
        answer: answer)
    }
    // The module may never answer, so a second task gives an answer after the timeout.
    let overdue = Task { [pause] in
      try await pause(timeout)
      answer.give(
        .failure(
          WorkerError(.deadlineExceeded, "\(contribution) didn't answer within \(timeout).")))
    }
    defer { overdue.cancel() }
    return try await answer.value.get()
  }

  private typealias Answer = FirstAnswer<Result<[UInt8], WorkerError>>

  private func call(
    _ contribution: ContributionName, input: [UInt8], deadline: Int64,
    trace: TraceContext?, listener: CallListener, answer: Answer
  ) {
    let found = state.withLock { state -> (ContributionInstance, UInt64)? in
      guard let instance = state.start?.instances[contribution] else { return nil }
      defer { state.nextCall += 1 }
      return (instance, state.nextCall)
    }
    guard let (instance, number) = found else {
      return answer.give(.failure(WorkerError(.closed, "\(name) doesn't run.")))
    }
    instance.invoke(
      call: number, input: input, deadline: deadline, traceparent: trace?.traceparent,
      tracestate: trace?.state?.description,
      sink: CallSink(
        part: listener.part,
        log: { [services, name] level, message in
          let level = WireLevel(rawValue: level) ?? .info
          services.log(WorkerLogRecord(process: name, level: level, message: message))
          listener.log(level.name, message)
        }
      ) { status, bytes in
        let code = StatusCode(rawValue: status.rawValue) ?? .failed
        answer.give(
          code == .ok
            ? .success(bytes)
            : .failure(WorkerError(code, String(decoding: bytes, as: UTF8.self))))
      })
  }

  // MARK: On the module's thread

  private func startNow() {
    if case .running = state.withLock({ $0.phase }) { return }
    do {
      try load()
      state.withLock { $0.phase = .running }
      log(.info, "It runs inside the host.")
      services.inProcessChanged(name, nil)
    } catch {
      release()
      failed(error)
    }
  }

  private func failed(_ error: any Error) {
    state.withLock { $0.phase = .failed("\(error)") }
    log(.error, "FAILED: \(error)")
    services.inProcessChanged(name, "\(error)")
  }

  private func log(_ level: WireLevel, _ message: String) {
    services.log(WorkerLogRecord(process: name, level: level, message: message))
  }

  private func load() throws {
    guard let library = manifest.libraryPath else { return }
    let module = try LoadedModule.load(path: library, module: manifest.name)
    let plan = WorkerPlan(
      name: name, manifest: manifest,
      load: Load(
        module: manifest.name, version: "\(manifest.version)", directory: manifest.directory,
        hostVersion: ""),
      configurations: [])
    let entries = module.contributions.compactMap { entry in
      WireKind(rawValue: entry.kind).map { (ContributionName($0, entry.name), entry) }
    }
    let loaded = Loaded(
      abi: Int(module.abi), name: module.name, version: module.version,
      contributions: entries.map(\.0))
    // This is the same check as for a worker process: the host refuses a library that differs from
    // its manifest before the library gets any settings.
    if let difference = plan.difference(to: loaded) { throw WorkerError(.failed, difference) }
    let hostServices = InProcessServices(
      name: name, module: manifest.name, services: services, thread: thread)
    state.withLock { $0.start = Start(services: hostServices) }
    for (wanted, settings) in configured {
      guard let entry = entries.first(where: { $0.0 == wanted })?.1 else { continue }
      let instance = try module.create(
        entry, settings: settings, services: hostServices,
        extensions: Set(HostExtensions.offered))
      state.withLock { $0.start?.instances[wanted] = instance }
      // This comes before the start, because the module may write its state during the start.
      hostServices.started()
      let status = instance.start { [weak self, weak hostServices, thread] status, message in
        // An end that comes during the start is processed after it, because both have this thread.
        thread.run { [weak self, weak hostServices] in
          self?.ended(status, message: message, of: hostServices)
        }
      }
      guard status == .ok else {
        throw WorkerError(
          StatusCode(rawValue: status.rawValue) ?? .failed, "\(wanted) can't be started.")
      }
    }
  }

  private func stopNow() {
    release()
    state.withLock { $0.phase = .stopped }
  }

  /// Stops and destroys the instances of the latest start. Does nothing if that was done before.
  private func release() {
    let start = state.withLock { state in
      defer { state.start = nil }
      return state.start
    }
    guard let start else { return }
    // The subscriptions end first, so that no event reaches an instance that is being stopped.
    start.services.close()
    // This reports the end of the caller once and not for each instance. It waits until the last
    // instance is gone, because calls may come until then.
    let instances = Array(start.instances.values)
    let left = Mutex(instances.count)
    let ended = { @Sendable in start.services.ended() }
    if instances.isEmpty { ended() }
    for instance in instances {
      instance.stop { [thread] in
        thread.run {
          instance.destroy()
          let isLast = left.withLock { left in
            left -= 1
            return left == 0
          }
          if isLast { ended() }
        }
      }
    }
  }

  /// - Parameter start: the services of the instance's start, or `nil` if that start is over.
  private func ended(_ status: ModuleStatus, message: String, of start: InProcessServices?) {
    // A process has one instance, so its end is the end of the process. In a worker without a
    // process, the other contributions of the module go on.
    guard !type.isEmpty, let start else { return }
    let isNews = state.withLock { state in
      // If the module was stopped or started again in the meantime, there is no end to report.
      guard case .running = state.phase, state.start?.services === start else { return false }
      state.phase = status == .ok ? .finished(nil) : .failed(message)
      return true
    }
    guard isNews else { return }
    // A worker process would exit now. The instance isn't kept for a later start, which creates one.
    release()
    if status != .ok { services.inProcessChanged(name, message) }
  }

  // MARK: Report

  package func report(isEnabled: Bool, startedAt: Int64) -> ProcessReport {
    var report = ProcessReport(
      name: name, module: manifest.name, type: type, isEnabled: isEnabled, state: .stopped,
      pid: nil, startedAt: nil, readyAt: nil, restarts: 0, lastExit: nil, reason: nil,
      sandbox: "none",
      sandboxDetail: "It runs inside the host.", isolation: "host")
    switch state.withLock({ $0.phase }) {
    case .stopped: report.state = type.isEmpty ? .idle : isEnabled ? .stopped : .disabled
    case .running:
      report.state = .running
      report.pid = getpid()
      report.startedAt = startedAt
    case .failed(let reason):
      report.state = .failed
      report.reason = reason
    case .finished: report.state = .finished
    }
    return report
  }
}
