internal import AgentLogging
internal import AgentModules
internal import AgentSettings
internal import AgentTraces

extension HostApplication {
  /// Makes spans as the settings say, from now on.
  func trace(_ settings: AgentSettings) {
    guard let traces = settings.traces, options.traceTransport != nil else {
      tracer.configuration = nil
      return
    }
    tracer.configuration = TraceConfiguration(
      endpoint: traces.endpoint, sample: traces.sample, headers: traces.headers,
      service: traces.serviceName, version: "\(SemanticVersion.host)")
  }

  /// Sends spans, until the task is cancelled.
  func exportTraces() async { await exporter?.run() }

  /// Sends what is left. A collector that doesn't answer holds nobody up.
  func finishTraces() async {
    guard let exporter else { return }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await exporter.finish() }
      group.addTask { try? await Task.sleep(for: .seconds(2)) }
      await group.next()
      group.cancelAll()
    }
  }

  private var exporter: TraceExporter? {
    options.traceTransport.map { transport in
      TraceExporter(
        tracer, over: transport,
        failed: { [log, tracer] reason in
          let place = tracer.configuration?.address ?? "The collector"
          log.log(.warning, "Spans were lost: \(place): \(reason).")
        })
    }
  }
}
