internal import AgentLogging
internal import AgentModules
internal import AgentSettings
internal import AgentTraces

extension HostApplication {
  /// Applies the settings' traces. Without them, or without a transport, no spans are made.
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

  /// Sends the spans that are left, for two seconds at most: a collector that doesn't answer must
  /// not hold up the end of the host.
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
