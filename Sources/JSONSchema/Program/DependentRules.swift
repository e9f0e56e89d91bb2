import AgentJSON

/// A rule for objects that have a certain key.
protocol DependentRule: Sendable {
  /// The keyword that it comes from.
  var keyword: String { get }
  var key: String { get }
}

/// The rules of a schema for objects that have certain keys.
struct DependentRules<Rule: DependentRule>: Sendable {
  let all: [Rule]
  /// The keywords that they come from.
  let keywords: [String]
  /// The positions of the rules by their key. A key may have several: one in `dependentRequired`
  /// and one in `dependencies`.
  private var table = KeyTable()
  private var positions: [[Int]] = []

  init(_ rules: [Rule]) {
    all = rules
    keywords = rules.map(\.keyword).uniqued()
    for (position, rule) in rules.enumerated() {
      if let known = table[rule.key] {
        positions[known].append(position)
      } else {
        table.append(rule.key, positions.count)
        positions.append([position])
      }
    }
  }

  /// The rules by their key, in the order of the schema.
  var byKey: [(key: String, rules: [Rule])] {
    zip(table.keys, positions).map { (key: $0, rules: $1.map { all[$0] }) }
  }

  /// The rules that apply to `object`, in the order of the schema.
  func applying(to object: JSONNode?) -> [Rule] {
    guard let object, object.kind == .object else { return [] }
    // Each of these looks goes through the members; with few rules that is faster than a lookup of
    // each key.
    if all.count <= 4 { return all.filter { object[$0.key] != nil } }
    let found = object.members.compactMap { table[$0.key] }.flatMap { positions[$0] }
    // Failures come in the order of the schema, not of the object.
    return found.sorted().map { all[$0] }
  }
}
