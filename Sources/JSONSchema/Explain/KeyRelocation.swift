import AgentJSON
import AgentText

/// Finds unknown keys that belong one level higher or lower.
struct KeyRelocation {
  private let walk: SchemaWalk
  private let root: JSONNode
  /// The answers, by key and place of the schema. An answer holds for all elements of a list, and
  /// finding it for each one would take time in proportion to the list.
  private var known: [Question: Answer] = [:]

  /// The number of further keys to examine. It bounds the time for thousands of unknown keys beside
  /// thousands of known ones.
  private var remainingSteps = 10_000_000

  private struct Question: Hashable {
    let schema: JSONPointer
    let depth: Int
    let key: String
  }

  private struct Answer {
    let sentence: String
    let settledKeys: [String]
  }

  init(_ program: SchemaProgram, _ root: JSONNode) {
    walk = SchemaWalk(program: program)
    self.root = root
  }

  /// Returns the failure with such advice, if it concerns an unknown key without a similar known
  /// one.
  mutating func applied(to failure: SchemaFailure) -> SchemaFailure {
    guard failure.isOfUnknownKey, let key = failure.key,
      failure.nearestKey.map({ !NameSuggestion.isSlip(key, of: $0) }) ?? true
    else { return failure }
    let path = failure.instance.tokens
    let question = Question(schema: failure.schema, depth: path.count, key: key)
    let answer = known[question] ?? self.answer(key, at: path)
    known[question] = answer
    guard !answer.sentence.isEmpty else { return failure }
    var failure = failure
    failure.settledKeys = answer.settledKeys
    failure.nearestKey = nil
    failure.suggestion = answer.sentence
    failure.message = Explanation.unknownKey(key, answer.sentence)
    return failure
  }

  private mutating func answer(_ key: String, at path: [String]) -> Answer {
    let none = Answer(sentence: "", settledKeys: [])
    guard let object = root.node(at: JSONPointer(tokens: path)) else { return none }
    let schemas = self.schemas(at: path[...])
    let cost = (keys(of: schemas).count + 1) * (object.count + 1)
    guard cost <= remainingSteps else { return none }
    remainingSteps -= cost
    if let keys = object[key].flatMap({ wrapped($0, schemas: schemas, object: object) }) {
      return Answer(
        sentence: "What is in it belongs one level up, without \(FoundText.quoted(key)) around it.",
        settledKeys: keys)
    }
    let sentence = below(key, schemas: schemas, object: object) ?? above(key, path)
    return sentence.map { Answer(sentence: $0, settledKeys: []) } ?? none
  }

  /// Returns the keys of an object if all of them belong one level higher.
  private func wrapped(_ inside: JSONNode, schemas: [Int], object: JSONNode) -> [String]? {
    let known = keys(of: schemas)
    guard inside.kind == .object, inside.count > 0,
      inside.members.allSatisfy({ known.contains($0.key) && object[$0.key] == nil })
    else { return nil }
    return inside.members.map(\.key)
  }

  private func below(_ key: String, schemas: [Int], object: JSONNode) -> String? {
    let keywords = schemas.flatMap { walk.program.nodes[$0].keywords }
    let holders = keys(of: schemas).filter { holder in
      let inner = keywords.flatMap { walk.parts($0, at: holder, false) }
      let child = object[holder]
      return child?[key] == nil
        && keys(of: walk.closure(of: inner, for: child)).contains(key)
    }
    guard !holders.isEmpty, holders.count <= 2 else { return nil }
    return "It belongs into \(FoundText.choice(holders.map(FoundText.quoted)))."
  }

  private func above(_ key: String, _ path: [String]) -> String? {
    guard let holder = path.last,
      let outer = root.node(at: JSONPointer(tokens: path.dropLast())), outer.kind == .object,
      outer[key] == nil, keys(of: self.schemas(at: path.dropLast())).contains(key)
    else { return nil }
    return "It belongs one level up, beside \(FoundText.quoted(holder))."
  }

  private func keys(of schemas: [Int]) -> [String] {
    schemas.flatMap { walk.program.nodes[$0].keywords }.flatMap { keyword -> [String] in
      if case .properties(let rules) = keyword { rules.order } else { [] }
    }.uniqued()
  }

  /// Returns all schemas that apply to the value at a path.
  private func schemas(at path: ArraySlice<String>) -> [Int] {
    var node: JSONNode? = root
    var schemas = walk.closure(of: [0], for: root)
    for token in path {
      let isElement = node?.kind == .array
      let keywords = schemas.flatMap { walk.program.nodes[$0].keywords }
      node = node?.node(at: JSONPointer(tokens: [token]))
      let inner = keywords.flatMap { walk.parts($0, at: token, isElement) }
      schemas = walk.closure(of: inner, for: node)
    }
    return schemas
  }
}

extension SchemaFailure {
  /// Whether the failure concerns an unknown key.
  var isOfUnknownKey: Bool {
    keyword == "additionalProperties" || keyword == "unevaluatedProperties"
  }
}
