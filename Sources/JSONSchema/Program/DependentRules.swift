import AgentJSON

/// A rule for objects that have a certain key.
protocol DependentRule: Sendable {
  /// The keyword of the rule.
  var keyword: String { get }
  var key: String { get }
}

/// The rules of a schema for objects that have certain keys.
struct DependentRules<Rule: DependentRule>: Sendable {
  let all: [Rule]
  /// The keywords of the rules.
  let keywords: [String]
  /// The positions of the rules by key. A key may have one in `dependentRequired` and one in
  /// `dependencies`.
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

  /// The rules by key, in the order of the schema.
  var byKey: [(key: String, rules: [Rule])] {
    zip(table.keys, positions).map { (key: $0, rules: $1.map { all[$0] }) }
  }

  /// Returns the rules that apply to `object`, in the order of the schema.
  func applying(to object: JSONNode?) -> [Rule] {
    guard let object, object.kind == .object else { return [] }
    // Each search reads the members. For few rules, that is faster than a look-up of each key.
    if all.count <= 4 { return all.filter { object[$0.key] != nil } }
    let found = object.members.compactMap { table[$0.key] }.flatMap { positions[$0] }
    // Failures come in the order of the schema, not of the object.
    return found.sorted().map { all[$0] }
  }
}
