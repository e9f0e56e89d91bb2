internal import AgentJSON
internal import AgentWorkerProtocol
internal import JSONSchema

/// A worker's report of its metrics and health: the input of `report` of `metrics/1`.
/// docs/module-services.md has the shapes.
struct ModuleReport: Sendable {
  /// The change that a report makes to a metric.
  enum Change: Sendable {
    case add(Double)
    case set(Double)
    case observe([Double])
    case counts([Int], sum: Double)
  }

  struct Metric: Sendable {
    let name: String
    let help: String?
    let labels: [String: String]
    let change: Change
    let bounds: [Double]?

    /// Returns the metric with `redact` applied to its help and the values of its labels.
    func redacted(by redact: (String) -> String) -> Metric {
      Metric(
        name: name, help: help.map(redact), labels: labels.mapValues(redact), change: change,
        bounds: bounds)
    }

    var kind: ReportedMetrics.Kind {
      switch change {
      case .add: .counter
      case .set: .gauge
      case .observe, .counts: .histogram
      }
    }
  }

  struct Part: Sendable {
    let component: String
    let state: ModuleHealth.State
    let reason: String?
  }

  let metrics: [Metric]
  let health: [Part]

  /// The maximum size of an input, in bytes. The thread of the loop that supervises all workers
  /// parses it.
  static let maxBytes = 1 << 20
  /// The maximum number of elements of a list: metrics, components, bounds, counts or observed
  /// values.
  static let most = 1000
  static let maxReason = 500

  /// Reads the input of a call.
  /// - Throws: `unsupported` for an unknown method, `invalidArgument` with the problem and its
  ///   place in the input.
  init(method: String, input: [UInt8]) throws(WorkerError) {
    guard method == "report" else {
      throw WorkerError(.unsupported, "metrics/1 has no \"\(method)\"; it has report.")
    }
    let root = try Self.checked(input)
    var metrics: [Metric] = []
    for node in Self.list(root["metrics"]) { metrics.append(try Self.metric(node)) }
    self.metrics = metrics
    health = Self.list(root["health"]).map(Self.part)
  }

  private static func checked(_ input: [UInt8]) throws(WorkerError) -> JSONNode {
    // The size is checked before parsing, because parsing occupies the thread of the loop.
    guard input.count <= maxBytes else {
      throw WorkerError(
        .invalidArgument,
        "The input of report has \(input.count) bytes; \(maxBytes) is the most. Report in "
          + "several calls.")
    }
    let document: JSONDocument
    do {
      document = try JSONDocument(parsing: input, limits: JSONLimits(maxDepth: 8))
    } catch {
      throw WorkerError(.invalidArgument, "The input of report can't be read: \(error)")
    }
    let failure = schema?.validate(document.root).first { $0.severity == .error }
    guard let failure else { return document.root }
    let place = "\(failure.instance)"
    throw WorkerError(
      .invalidArgument,
      "The input of report is wrong\(place.isEmpty ? "" : " at \(place)"): \(failure.message)")
  }

  private static func metric(_ node: JSONNode) throws(WorkerError) -> Metric {
    let name = node["name"]?.string ?? ""
    var labels: [String: String] = [:]
    if let given = node["labels"] {
      for label in given.members { labels[label.key] = label.value.string }
    }
    return Metric(
      name: name, help: node["help"]?.string, labels: labels, change: try change(node, name),
      bounds: node["bounds"].map(numbers))
  }

  private static func change(_ node: JSONNode, _ name: String) throws(WorkerError) -> Change {
    let members = ["add", "set", "observe", "counts"].filter { node[$0] != nil }
    guard members.count == 1 else {
      throw WorkerError(
        .invalidArgument,
        "The metric \"\(name)\" needs one of \"add\", \"set\", \"observe\" and \"counts\".")
    }
    if let number = node["add"]?.double { return .add(number) }
    if let number = node["set"]?.double { return .set(number) }
    if let values = node["observe"] { return .observe(numbers(values)) }
    guard let sum = node["sum"]?.double, node["bounds"] != nil else {
      throw WorkerError(
        .invalidArgument, "The \"counts\" of \"\(name)\" come with \"bounds\" and a \"sum\".")
    }
    return .counts(list(node["counts"]).map { max($0.int ?? 0, 0) }, sum: sum)
  }

  private static func part(_ node: JSONNode) -> Part {
    Part(
      component: node["component"]?.string ?? "",
      state: node["state"]?.string.flatMap(ModuleHealth.State.init(rawValue:)) ?? .ok,
      reason: node["reason"]?.string)
  }

  private static func list(_ node: JSONNode?) -> [JSONNode] {
    node.map { Array($0.elements) } ?? []
  }

  private static func numbers(_ node: JSONNode) -> [Double] { node.elements.compactMap(\.double) }
}
