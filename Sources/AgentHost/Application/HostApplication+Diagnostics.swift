package import AgentDiagnostics
internal import AgentEvents
package import AgentJSON
internal import AgentLogging
internal import AgentMetrics
internal import AgentSettings
internal import AgentStore
internal import AgentTasks
package import AgentWorkers
internal import Glibc

/// `get_diagnostics`: everything that helps to find a fault.
extension HostApplication {
  /// Collects the state of the host, its parts and the machine, without secrets. A part that can't
  /// be read says so in its place, so one fault doesn't hide the others.
  /// - Parameter checking: whether the whole database is checked, which may take a while.
  package func diagnostics(checking: Bool = false) async -> JSONValue {
    let folder = FolderDiagnostics(folder, redactor: settings.redactor)
    // At the same time: each of them waits for another thread.
    async let status = status()
    async let health = health.report()
    async let store = storeReport(checking: checking)
    async let log = eventReport()
    var report = await reading {
      folder.common
    } or: {
      ["files": .string($0.message)]
    }
    let crashes = await reading {
      folder.crashes as CrashList?
    } or: { _ in
      nil
    }
    let processes = await status.processes
    report["agent"] = .string(settings.agent.name)
    report["started_at"] = JSONValue(start.at)
    report["health"] = await health.json
    // Files under /proc are read on a thread for files. A wait on the cooperative pool would hold
    // up everything else.
    report["host"] = await reading {
      ProcessUse(pid: getpid())?.json ?? .null
    } or: { _ in
      .null
    }
    report["processes"] = await reading {
      .array(processes.map { Self.json($0, crashes) })
    } or: { _ in
      .array(processes.map(\.json))
    }
    report["listeners"] = .array(await status.listeners.map(\.json))
    report["safe_mode"] = await status.safeMode?.json ?? .null
    report["change"] = await status.change?.json ?? .null
    report["store"] = await store
    report["events"] = await log
    report["queues"] = queues
    report["queries"] = folder.redacted(QueryReport.json(of: events))
    report["log"] = logReport(folder)
    report["module_metrics"] = await metrics.page().json(matching: "bulkhead_module_")["metrics"]
    return .object(report)
  }

  /// Reads files for a report.
  /// - Parameter otherwise: stands in the report if the files can't be read now.
  private func reading<Value: Sendable>(
    _ read: @escaping @Sendable () -> Value, or otherwise: (HostError) -> Value
  ) async -> Value {
    do throws(HostError) {
      return try await FileDeadline.run(
        or: "The agent's folder can't be read", for: "diagnostics", read)
    } catch {
      return otherwise(error)
    }
  }

  private static func json(_ process: ProcessReport, _ crashes: CrashList?) -> JSONValue {
    var object = process.json.object ?? JSONObject()
    object["uses"] = process.pid.flatMap { ProcessUse(pid: $0)?.json } ?? .null
    object["crashes"] = .array((crashes?.of(process.name) ?? []).prefix(5).map(\.summary))
    return .object(object)
  }

  private func storeReport(checking: Bool) async -> JSONValue {
    guard let store = database.store else { return .null }
    do {
      // Only on demand: SQLite reads the whole file for it.
      let problems = checking ? try await store.integrityProblems() : nil
      let rows = checking ? try await StoredRows.problems(in: store) : nil
      return StoreReport.json(
        try await store.fileStatistics(), problems: problems, rows: rows,
        statistics: store.statistics,
        condition: store.condition)
    } catch {
      return StoreReport.failure(error)
    }
  }

  /// The types in the log of events, the largest first, and its durable consumers.
  private func eventReport() async -> JSONValue {
    do {
      let types = try await events.types().sorted { $0.bytes > $1.bytes }
      let consumers = try await events.consumers()
      return [
        // Sorted by size above, so what is left out is the least likely to fill the database.
        "types": .array(types.prefix(50).map(EventTypeText.json)),
        "more_types": JSONValue(max(0, types.count - 50)),
        "consumers": .array(
          consumers.map { consumer in
            [
              "name": .string(consumer.name), "behind": JSONValue(consumer.behind),
              "updated": JSONValue(consumer.updated),
            ]
          }),
      ]
    } catch {
      return ["problem": .string("\(error)")]
    }
  }

  /// The lengths of the host's queues.
  private var queues: JSONValue {
    let statistics = events.statistics
    return [
      "writes": JSONValue(database.store?.statistics.waiting ?? 0),
      "log_records": JSONValue(log.statistics.waiting),
      "events": JSONValue(statistics.waiting),
      "most_waiting_events": JSONValue(statistics.longestQueue),
      "subscriptions": JSONValue(statistics.subscriptions), "behind": JSONValue(statistics.behind),
      "published": JSONValue(statistics.published), "delivered": JSONValue(statistics.delivered),
      "dropped": JSONValue(statistics.dropped),
    ]
  }

  private func logReport(_ folder: FolderDiagnostics) -> JSONValue {
    let statistics = log.statistics
    return [
      "dropped": JSONValue(statistics.dropped),
      "unwritable": .object(
        JSONObject(
          statistics.problems.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })),
      "recent": .array(statistics.recent.map { folder.redacted($0.json) }),
    ]
  }
}

extension HostApplication {
  /// Packs diagnostics, status, features, metrics and the log files for somebody who helps from
  /// afar.
  package func bundle() async throws(HostError) -> SupportBundle {
    let folder = FolderDiagnostics(folder, redactor: settings.redactor)
    let documents: JSONObject = [
      "diagnostics.json": await diagnostics(checking: true), "status.json": await status().json,
      "features.json": try await features(),
    ]
    let metrics = PrometheusText.plain.text(await metrics.page())
    let texts = [(path: "metrics.txt", text: String(decoding: metrics, as: UTF8.self))]
    // The newest records are in the files then.
    let outcome = try await FileDeadline.run(or: "Nothing was packed", for: "bundle") {
      [log] () -> Result<SupportBundle, HostError> in
      log.flush()
      do throws(HostError) {
        return .success(try folder.bundle(documents, texts: texts))
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }
}
