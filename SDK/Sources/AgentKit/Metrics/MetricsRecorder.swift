internal import Synchronization

/// Collects a contribution's metrics and health, and sends them to the host at most once a second.
final class MetricsRecorder: Sendable {
  enum Instrument: Sendable {
    case number(NumberInstrument)
    case histogram(HistogramInstrument)
  }

  private struct State {
    var places: [MetricKey: Int] = [:]
    /// In the order of creation, so that the host sees the first metric of a name first.
    var instruments: [(key: MetricKey, help: String?, instrument: Instrument)] = []
    var isFull = false
    /// The last report that was sent for each component.
    var reported: [String: HealthReport] = [:]
    var untold: [(component: String, report: HealthReport)] = []
    var lastUrgent: ContinuousClock.Instant?
    /// Refusals that were logged: each is logged once.
    var refusals: Set<String> = []
  }

  /// More metrics, or components, than a host accepts from a process. Further ones aren't kept here
  /// either.
  private static let most = 1000
  /// The number of metrics in one report.
  private static let batch = 500

  private let services: any HostServices
  private let state = Mutex(State())
  /// Whether a flush is scheduled already.
  private let isDue = Atomic<Bool>(false)

  init(services: any HostServices) { self.services = services }

  // MARK: Instruments

  func number(
    _ kind: MetricKey.Kind, name: String, help: String?, labels: [String: String]
  ) -> NumberInstrument {
    let new = NumberInstrument(isGauge: kind == .gauge)
    let key = MetricKey(kind: kind, name: name, labels: labels)
    guard case .number(let instrument) = instrument(key, help: help, new: .number(new)) else {
      return new
    }
    return instrument
  }

  func histogram(
    _ name: String, help: String?, labels: [String: String], bounds: [Double]
  ) -> HistogramInstrument {
    let new = HistogramInstrument(bounds: bounds)
    let key = MetricKey(kind: .histogram, name: name, labels: labels)
    guard case .histogram(let instrument) = instrument(key, help: help, new: .histogram(new)) else {
      return new
    }
    return instrument
  }

  private func instrument(_ key: MetricKey, help: String?, new: Instrument) -> Instrument {
    let (instrument, overflows) = state.withLock { state -> (Instrument, Bool) in
      if let place = state.places[key] { return (state.instruments[place].instrument, false) }
      guard state.instruments.count < Self.most else {
        defer { state.isFull = true }
        return (new, !state.isFull)
      }
      state.places[key] = state.instruments.count
      state.instruments.append((key, help, new))
      return (new, false)
    }
    if overflows {
      services.log(
        .warning,
        "There are \(Self.most) metrics: \"\(key.name)\" and further new ones aren't counted. Do "
          + "their labels have unbounded values?")
    }
    return instrument
  }

  /// Records a change, and ensures that the host receives it within a second.
  ///
  /// Rationale: an exchange here and in `flush`, so that when both run at the same time, one sees
  /// the other.
  func changed() {
    guard !isDue.exchange(true, ordering: .acquiringAndReleasing) else { return }
    Task { [weak self] in
      try? await Task.sleep(for: .seconds(1))
      self?.flush()
    }
  }

  // MARK: Health

  func report(_ component: String, _ report: HealthReport) {
    let isUrgent = state.withLock { state -> Bool? in
      guard state.reported[component] != report else { return nil }
      guard state.reported[component] != nil || state.reported.count < Self.most else { return nil }
      state.reported[component] = report
      state.untold.removeAll { $0.component == component }
      state.untold.append((component, report))
      let now = ContinuousClock.now
      if let last = state.lastUrgent, now - last < .seconds(1) { return false }
      state.lastUrgent = now
      return true
    }
    switch isUrgent {
    case true?: flush()
    case false?: changed()
    case nil: break
    }
  }

  // MARK: Handing over

  /// Sends the changes to the host. Rationale for the lock around all of it: later reports must
  /// arrive later.
  func flush() {
    _ = isDue.exchange(false, ordering: .acquiringAndReleasing)
    state.withLock { state in
      var metrics = state.instruments.compactMap(Self.json)
      var health = state.untold.map { JSONValue.object($0.report.object($0.component)) }
      state.untold = []
      while !metrics.isEmpty || !health.isEmpty {
        var input = JSONObject()
        if !metrics.isEmpty { input["metrics"] = .array(Array(metrics.prefix(Self.batch))) }
        if !health.isEmpty { input["health"] = .array(Array(health.prefix(Self.batch))) }
        metrics.removeFirst(min(Self.batch, metrics.count))
        health.removeFirst(min(Self.batch, health.count))
        services.send("metrics/1", method: "report", input: JSONValue.object(input).bytes()) {
          [weak self] in
          self?.answered($0)
        }
      }
    }
  }

  private static func json(
    _ entry: (key: MetricKey, help: String?, instrument: Instrument)
  ) -> JSONValue? {
    var object: JSONObject = ["name": .string(entry.key.name)]
    object["help"] = entry.help.map(JSONValue.string)
    if !entry.key.labels.isEmpty {
      let sorted = entry.key.labels.sorted { $0.key < $1.key }
      object["labels"] = .object(JSONObject(sorted.map { ($0.key, .string($0.value)) }))
    }
    switch entry.instrument {
    case .number(let instrument):
      guard let value = instrument.take() else { return nil }
      object[entry.key.kind == .gauge ? "set" : "add"] = JSONValue(value)
    case .histogram(let instrument):
      guard let counts = instrument.take() else { return nil }
      object["bounds"] = .array(instrument.bounds.map { JSONValue($0) })
      object["counts"] = .array(counts.counts.map { JSONValue($0) })
      object["sum"] = JSONValue(counts.sum)
    }
    return .object(object)
  }

  /// Logs what the host refused, each refusal once. A host without the service is not the module's
  /// fault.
  private func answered(_ answer: Result<[UInt8], ModuleError>) {
    let refusals: [String]
    switch answer {
    case .success(let bytes):
      let refused = (try? JSONDocument(parsing: bytes).root)?["refused"]?.elements
      refusals = refused?.compactMap { $0["reason"]?.string } ?? []
    case .failure(let error) where error.code == .invalidArgument: refusals = [error.message]
    case .failure: refusals = []
    }
    guard !refusals.isEmpty else { return }
    // In a task of its own: the answer may come while the lock is held.
    Task {
      let new = state.withLock { state in
        refusals.filter { state.refusals.count < 100 && state.refusals.insert($0).inserted }
      }
      for refusal in new { services.log(.warning, "metrics/1: \(refusal)") }
    }
  }
}
