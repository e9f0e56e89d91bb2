internal import AgentLogging
package import AgentMetrics
internal import AgentModules
internal import AgentSettings
package import AgentTraces
package import AgentWorkers

/// Metrics and traces of the host and its modules.
package final class HostTelemetry: Sendable {
  /// The registry of all metrics.
  package let metrics = MetricsRegistry()
  /// Makes spans, while the settings say where they go.
  package let tracer = Tracer()
  /// What modules count, and the health that they report.
  let modules = ModuleMetrics()
  private let log: LogHub
  /// Sends spans to a collector; nil for none.
  private let exporter: TraceExporter?

  /// - Parameter transport: sends spans. Without it no spans are made, whatever the settings say.
  init(_ log: LogHub, transport: (any TraceTransport)?) {
    self.log = log
    exporter = transport.map { [tracer] transport in
      TraceExporter(
        tracer, over: transport,
        failed: { reason in
          let place = tracer.configuration?.address ?? "The collector"
          log.log(.warning, "Spans were lost: \(place): \(reason).")
        })
    }
    tracer.measure(in: metrics)
    metrics.collect { [modules] page in modules.write(to: &page) }
  }

  /// How the parts of processes do, as their modules say, by process and component. What isn't
  /// reported isn't here: a worker that has ended has no health of its own.
  package var moduleHealth: [ModuleHealth] { modules.health }

  /// Applies the settings' traces, and takes the new secrets out of what modules report.
  func apply(_ settings: AgentSettings) {
    modules.redact { [redactor = settings.redactor] in redactor.redact($0) }
    guard let traces = settings.traces, exporter != nil else {
      tracer.configuration = nil
      return
    }
    tracer.configuration = TraceConfiguration(
      endpoint: traces.endpoint, sample: traces.sample, headers: traces.headers,
      service: traces.serviceName, version: "\(SemanticVersion.host)")
  }

  /// Sends spans, until the task is cancelled.
  func run() async { await exporter?.run() }

  /// Sends the spans that are left, for two seconds at most: a collector that doesn't answer must
  /// not hold up the end of the host.
  func finish() async {
    guard let exporter else { return }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await exporter.finish() }
      group.addTask { try? await Task.sleep(for: .seconds(2)) }
      await group.next()
      group.cancelAll()
    }
  }
}
