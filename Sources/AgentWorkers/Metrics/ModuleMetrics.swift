package import AgentJSON
internal import AgentSystem
package import AgentWorkerProtocol
internal import Synchronization

/// `metrics/1`: metrics and health that modules report.
package final class ModuleMetrics: HostService {
  private struct ReportedHealth {
    let health: ModuleHealth
    let caller: ServiceCaller
  }

  private struct State {
    /// By the name of the process.
    var reported: [String: ReportedMetrics] = [:]
    /// By the name of the process and that of the component.
    var health: [String: [String: ReportedHealth]] = [:]
    /// The names that the settings have; nil until they are known.
    var names: Set<String>?
    /// Replaces what is secret in a text.
    var redact: @Sendable (String) -> String = { $0 }
  }

  private static let maxComponents = 50
  private let now: @Sendable () -> Int64
  private let state = Mutex(State())

  package init(now: @escaping @Sendable () -> Int64 = { Timestamp.now() }) { self.now = now }

  /// Sets the function that removes secrets from texts of modules. Any thread; it applies to later
  /// reports.
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

  /// Takes a report, and returns what was refused of it. The rest counts.
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
    var reported = state.reported[caller.name] ?? ReportedMetrics(module: caller.module)
    var other: ReportedMetrics.Family?
    if reported.families[metric.name] == nil {
      other =
        state.reported.values.lazy.filter { $0.module == caller.module }
        .compactMap { $0.families[metric.name] }.first
    }
    // The dictionary must not hold it meanwhile, or all of it would be copied.
    state.reported[caller.name] = nil
    defer { state.reported[caller.name] = reported }
    return reported.take(metric, from: caller, other: other)
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

  // MARK: The end of workers and processes

  package func ended(_ caller: ServiceCaller) {
    state.withLock { state in
      state.reported[caller.name]?.ended(caller)
      // Only this worker's: its successor may have reported already.
      let left = state.health[caller.name]?.filter { $0.value.caller !== caller }
      state.health[caller.name] = left?.isEmpty == true ? nil : left
      Self.forget(&state)
    }
  }

  /// Sets the names of the agent's processes. The metrics of others are forgotten, at once or when
  /// their last worker ends.
  package func keep(_ names: Set<String>) {
    state.withLock { state in
      state.names = names
      Self.forget(&state)
    }
  }

  private static func forget(_ state: inout State) {
    guard let names = state.names else { return }
    for name in state.reported.keys where !names.contains(name) { state.reported[name] = nil }
    for name in state.health.keys where !names.contains(name) { state.health[name] = nil }
  }

  // MARK: Looking

  /// The reported health of every part, sorted by process and component.
  package var health: [ModuleHealth] {
    let all = state.withLock { $0.health.values.flatMap { $0.values.map(\.health) } }
    return all.sorted { ($0.process, $0.component) < ($1.process, $1.component) }
  }

  /// The metrics of every process, by name.
  package var reported: [(process: String, reported: ReportedMetrics)] {
    // Sorted outside of the lock, which every report takes.
    state.withLock { $0.reported }.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
  }
}
