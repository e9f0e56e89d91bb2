internal import AgentKit

/// The input of a call of `metrics/1`, read as strictly as the host reads it.
struct TestMetricsReport {
  enum Change {
    case add(Double)
    case set(Double)
    case observe([Double])
    case counts([Int], sum: Double)
  }

  struct Metric {
    let name: String
    let labels: [String: String]
    let change: Change
    let bounds: [Double]?

    var kind: String {
      switch change {
      case .add: "counter"
      case .set: "gauge"
      case .observe, .counts: "histogram"
      }
    }

    var counts: [Int]? {
      if case .counts(let counts, _) = change { return counts }
      return nil
    }
  }

  struct Part {
    let component: String
    let state: Health.State
    let reason: String?
  }

  private(set) var metrics: [Metric] = []
  private(set) var health: [Part] = []

  private static let most = 1000

  init(_ method: String, _ input: [UInt8]) throws(ModuleError) {
    guard method == "report" else {
      throw ModuleError(.unsupported, "metrics/1 has no \"\(method)\"; it has report.")
    }
    let root: JSONNode
    do {
      root = try JSONDocument(parsing: input, limits: JSONLimits(maxDepth: 8)).root
    } catch {
      throw ModuleError(.invalidArgument, "The input of report can't be read: \(error)")
    }
    try Self.check(root, ["metrics", "health"])
    for metric in try Self.list(root, "metrics") { metrics.append(try Self.metric(metric)) }
    for part in try Self.list(root, "health") { health.append(try Self.part(part)) }
  }

  private static func metric(_ node: JSONNode) throws(ModuleError) -> Metric {
    try check(node, ["name", "help", "labels", "add", "set", "observe", "bounds", "counts", "sum"])
    guard let name = node["name"]?.string else { throw wrong("a metric needs a \"name\"") }
    if let help = node["help"], help.string == nil { throw wrong("\"help\" needs a text") }
    var labels: [String: String] = [:]
    if let given = node["labels"] {
      guard given.kind == .object else { throw wrong("\"labels\" needs an object") }
      for label in given.members {
        guard let value = label.value.string else { throw wrong("a label needs a text") }
        labels[label.key] = value
      }
    }
    let bounds = try node["bounds"].map { node throws(ModuleError) in try numbers(node) }
    return Metric(name: name, labels: labels, change: try change(node), bounds: bounds)
  }

  private static func change(_ node: JSONNode) throws(ModuleError) -> Change {
    let members = ["add", "set", "observe", "counts"].filter { node[$0] != nil }
    guard members.count == 1 else {
      throw wrong("a metric has one of \"add\", \"set\", \"observe\" and \"counts\"")
    }
    if let add = node["add"] {
      guard let number = add.double, number >= 0 else { throw wrong("\"add\" isn't negative") }
      return .add(number)
    }
    if let set = node["set"] {
      guard let number = set.double else { throw wrong("\"set\" needs a number") }
      return .set(number)
    }
    if let values = node["observe"] { return .observe(try numbers(values)) }
    let counts = node["counts"]?.elements.compactMap(\.int) ?? []
    guard let sum = node["sum"]?.double, node["bounds"] != nil, counts.allSatisfy({ $0 >= 0 }),
      counts.count == node["counts"]?.count
    else { throw wrong("\"counts\" are numbers, and come with \"bounds\" and a \"sum\"") }
    return .counts(counts, sum: sum)
  }

  private static func part(_ node: JSONNode) throws(ModuleError) -> Part {
    try check(node, ["component", "state", "reason"])
    guard let state = node["state"]?.string.flatMap(Health.State.init(rawValue:)) else {
      throw wrong("\"state\" is ok, degraded or failing")
    }
    return Part(
      component: node["component"]?.string ?? "", state: state, reason: node["reason"]?.string)
  }

  // MARK: Shapes

  private static func list(_ root: JSONNode, _ key: String) throws(ModuleError) -> [JSONNode] {
    guard let node = root[key] else { return [] }
    guard node.kind == .array, node.count <= most else {
      throw wrong("\"\(key)\" needs a list of at most \(most)")
    }
    return Array(node.elements)
  }

  private static func numbers(_ node: JSONNode) throws(ModuleError) -> [Double] {
    let numbers = node.elements.compactMap(\.double)
    guard node.kind == .array, numbers.count == node.count, numbers.count <= most else {
      throw wrong("expected a list of numbers")
    }
    return numbers
  }

  private static func check(_ node: JSONNode, _ known: [String]) throws(ModuleError) {
    guard node.kind == .object else { throw wrong("expected an object") }
    for member in node.members where !known.contains(member.key) {
      throw wrong("\"\(member.key)\" isn't known")
    }
  }

  private static func wrong(_ what: String) -> ModuleError {
    ModuleError(.invalidArgument, "The input of report is wrong: \(what).")
  }
}
