import AgentJSON

/// The location of a field.
struct FormLocation {
  var pointer: JSONPointer
  var key: String?
  var isRequired = false
  var condition: FormCondition?
  /// The keys that other fields already ask for.
  var without: Set<String> = []

  func inside(_ token: String) -> FormLocation {
    FormLocation(pointer: pointer.appending(token), key: nil)
  }
}

/// Walks through a compiled schema and describes an input for each part.
struct FormBuilder {
  let program: SchemaProgram
  /// The locations of groups whose description isn't finished. A group inside itself would have no
  /// end.
  private var open: [[Int]: JSONPointer] = [:]
  /// The locations of described groups, for a schema with too many of them.
  private var described: [[Int]: JSONPointer] = [:]
  private var count = 0
  private var depth = 0

  /// The largest number of fields. A larger form doesn't help, and a schema that multiplies itself
  /// would never end.
  private static let maxCount = 5000
  private static let maxDepth = 40

  init(_ program: SchemaProgram) {
    self.program = program
  }

  /// Returns the field for a value that must match all of `schemas`.
  mutating func field(_ schemas: [Int], at location: FormLocation) -> FormField {
    let facts = FormFacts(schemas, program)
    var field = described(by: facts, at: location)
    count += 1
    guard field.kind == .group || field.kind == .list || field.kind == .map || field.kind == .choice
    else { return field }
    let identity = facts.identity
    if let known = open[identity] ?? (count > Self.maxCount ? described[identity] : nil) {
      field.sameAs = known
      return field
    }
    guard depth < Self.maxDepth, count <= Self.maxCount else {
      field.kind = .json
      return field
    }
    open[identity] = location.pointer
    depth += 1
    fill(&field, by: facts, at: location)
    depth -= 1
    open[identity] = nil
    if described[identity] == nil { described[identity] = location.pointer }
    return field
  }

  private mutating func fill(
    _ field: inout FormField, by facts: FormFacts, at location: FormLocation
  ) {
    switch field.kind {
    case .group: field.fields = fields(of: facts, at: location)
    case .list:
      let elements = facts.elements
      field.fields = elements.first.enumerated().map { index, node in
        self.field([node], at: location.inside(String(index)))
      }
      field.element = elements.rest.map { [self.field([$0], at: location.inside("-"))] } ?? []
    case .map:
      field.element = [self.field(facts.others ?? [], at: location.inside("*"))]
    case .choice: choose(&field, facts, at: location)
    default: break
    }
  }

  /// Returns the fields of an object's keys, then those that an `if` adds.
  mutating func fields(
    of facts: FormFacts, at location: FormLocation, when condition: FormCondition? = nil
  ) -> [FormField] {
    let required = facts.required
    var known = location.without
    var fields: [FormField] = []
    for (key, schemas) in facts.properties where known.insert(key).inserted {
      var inner = FormLocation(
        pointer: location.pointer.appending(key), key: key, isRequired: required.contains(key))
      inner.condition = condition
      fields.append(field(schemas, at: inner))
    }
    for fixed in facts.conditionals {
      for (side, isNegated) in [(fixed.rule.then, false), (fixed.rule.otherwise, true)] {
        guard let side else { continue }
        var inner = FormLocation(pointer: location.pointer)
        inner.without = known
        let condition = FormCondition(key: fixed.key, values: fixed.values, isNegated: isNegated)
        fields += self.fields(of: FormFacts([side], program), at: inner, when: condition)
      }
    }
    return fields
  }
}
