package import AgentJSON
internal import AgentSystem
package import AgentWorkerProtocol
internal import Synchronization

/// The service `metrics/1`. It collects the metrics and the health that modules report.
package final class ModuleMetrics: HostService {
  private struct ReportedHealth {
    let health: ModuleHealth
    let caller: ServiceCaller
  }

  private struct State {
    /// The reported metrics, by the name of the process and the name of the module. A process has
    /// two modules while a worker of another module replaces its worker.
    var reported: [String: [String: ReportedMetrics]] = [:]
    /// The module of the worker that is at work, by the name of the process.
    var modules: [String: String] = [:]
    /// The reported health, by the name of the process and the name of the component.
    var health: [String: [String: ReportedHealth]] = [:]
    /// The names of the processes in the settings; `nil` until they are known.
    var names: Set<String>?
    /// Replaces secrets in a text.
    var redact: @Sendable (String) -> String = { $0 }
  }

  private static let maxComponents = 50
  private let now: @Sendable () -> Int64
  private let state = Mutex(State())

  package init(now: @escaping @Sendable () -> Int64 = { Timestamp.now() }) { self.now = now }

  /// Sets the function that removes secrets from texts of modules. It applies to later reports. Any
  /// thread.
  package func redact(_ body: @escaping @Sendable (String) -> String) {
    state.withLock { $0.redact = body }
  }

  // MARK: Reports

  package func call(
    _ method: String, _ input: [UInt8], from caller: ServiceCaller,
    done: @escaping @Sendable (Result<[UInt8], WorkerError>) -> Void
  ) {
    done(answer(method, input, from: caller).map { $0.bytes() })
  }

  /// Applies a report. Any thread.
  /// - Returns: `refused`, a list of the refused metrics and components with their reasons. The
  ///   others are applied. An error if the report as a whole is invalid.
  package func answer(
    _ method: String, _ input: [UInt8], from caller: ServiceCaller
  ) -> Result<JSONValue, WorkerError> {
    do {
      let report = try ModuleReport(method: method, input: input)
      return .success(["refused": .array(take(report, from: caller))])
    } catch {
      return .failure(error)
    }
  }

  private func take(_ report: ModuleReport, from caller: ServiceCaller) -> [JSONValue] {
    let refused = state.withLock { state in
      var refused: [JSONValue] = []
      for metric in report.metrics {
        if let reason = Self.take(metric, from: caller, &state) {
          refused.append(["name": .string(metric.name), "reason": .string(reason)])
        }
      }
      for part in report.health {
        if let reason = Self.take(part, from: caller, now: now(), state: &state) {
          refused.append(["component": .string(part.component), "reason": .string(reason)])
        }
      }
      return refused
    }
    caller.refusals.count("metrics/1", refused.count)
    return refused
  }

  private static func take(
    _ metric: ModuleReport.Metric, from caller: ServiceCaller, _ state: inout State
  ) -> String? {
    if let problem = metric.problem { return problem }
    let metric = metric.redacted(by: state.redact)
    var other: ReportedMetrics.Definition?
    if state.reported[caller.name]?[caller.module]?.families[metric.name] == nil {
      if let problem = nameProblem(metric.name, of: caller.module, in: state) { return problem }
      other =
        state.reported.values.lazy
        .compactMap { $0[caller.module]?.families[metric.name]?.definition }.first
    }
    return state.reported[caller.name, default: [:]][
      caller.module, default: ReportedMetrics(module: caller.module)
    ].take(metric, from: caller, other: other)
  }

  /// Returns why a new metric can't have its name: another module has a metric with the same name
  /// on the page.
  private static func nameProblem(
    _ name: String, of module: String, in state: borrowing State
  ) -> String? {
    let fullName = ReportedMetrics.fullName(name, module: module)
    for modules in state.reported.values {
      for (other, reported) in modules where other != module && reported.has(fullName: fullName) {
        return "\"\(name)\" would be \(fullName), which the module \(other) has already. Choose "
          + "another name."
      }
    }
    return nil
  }

  private static func take(
    _ part: ModuleReport.Part, from caller: ServiceCaller, now: Int64, state: inout State
  ) -> String? {
    if let problem = part.problem { return problem }
    let before = state.health[caller.name]?[part.component]?.health
    if before == nil, state.health[caller.name]?.count ?? 0 >= maxComponents {
      return "The process has reported \(maxComponents) components, which is the maximum."
    }
    let health = ModuleHealth(
      process: caller.name, module: caller.module, component: part.component, state: part.state,
      // A long reason doesn't cost the state. It is cut after secrets were replaced, because a cut
      // through a secret would keep its beginning.
      reason: part.reason.map { String(state.redact($0).prefix(ModuleReport.maxReason)) },
      // A report that changes nothing keeps the time of the last change.
      since: before?.state == part.state ? before?.since ?? now : now)
    state.health[caller.name, default: [:]][part.component] = ReportedHealth(
      health: health, caller: caller)
    return nil
  }

  // MARK: The beginning and the end of workers and processes

  package func started(_ caller: ServiceCaller) {
    state.withLock { state in
      state.modules[caller.name] = caller.module
      // The process had another module before.
      Self.forgetModules(of: caller.name, but: caller.module, &state)
    }
  }

  package func ended(_ caller: ServiceCaller) {
    state.withLock { state in
      state.reported[caller.name]?[caller.module]?.ended(caller)
      // A worker of the former module may report until its end, and so may one of another
      // module that was never started.
      if let module = state.modules[caller.name], module != caller.module {
        Self.forgetModules(of: caller.name, but: module, &state)
      }
      // Only the health that this worker reported is removed. Its successor may have reported
      // already.
      let left = state.health[caller.name]?.filter { $0.value.caller !== caller }
      state.health[caller.name] = left?.isEmpty == true ? nil : left
      Self.forget(&state)
    }
  }

  /// Sets the names of the agent's processes, and removes the metrics and the health of others. A
  /// worker of another process may still report. Its reports are removed when a worker ends. Any
  /// thread.
  package func keep(_ names: Set<String>) {
    state.withLock { state in
      state.names = names
      Self.forget(&state)
    }
  }

  private static func forgetModules(of process: String, but module: String, _ state: inout State) {
    guard let left = state.reported[process]?.filter({ $0.key == module }) else { return }
    state.reported[process] = left.isEmpty ? nil : left
  }

  private static func forget(_ state: inout State) {
    guard let names = state.names else { return }
    for name in state.modules.keys where !names.contains(name) { state.modules[name] = nil }
    for name in state.reported.keys where !names.contains(name) { state.reported[name] = nil }
    for name in state.health.keys where !names.contains(name) { state.health[name] = nil }
  }

  // MARK: Reading

  /// The reported health of every component, sorted by process and component. Any thread.
  package var health: [ModuleHealth] {
    let all = state.withLock { $0.health.values.flatMap { $0.values.map(\.health) } }
    return all.sorted { ($0.process, $0.component) < ($1.process, $1.component) }
  }

  /// The reported metrics of every process, sorted by the names of the process and the module. Any
  /// thread.
  package var reported: [(process: String, reported: ReportedMetrics)] {
    // Sorting happens outside the lock, because every report takes the lock.
    state.withLock { $0.reported }.flatMap { process, modules in
      modules.values.map { (process, $0) }
    }.sorted { ($0.0, $0.1.module) < ($1.0, $1.1.module) }
  }
}
