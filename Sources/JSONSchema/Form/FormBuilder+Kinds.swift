import AgentJSON
import AgentText
import ECMARegex

extension FormBuilder {
  /// Returns a field with all its descriptions, but without the fields inside.
  func described(by facts: FormFacts, at location: FormLocation) -> FormField {
    let (kind, options) = kind(of: facts)
    var field = FormField(
      pointer: location.pointer, key: location.key, label: facts.title ?? "", help: facts.help,
      kind: kind)
    field.isRequired = location.isRequired
    field.condition = location.condition
    field.isNullable = facts.isNullable
    field.isDeprecated = facts.isMarked("deprecated")
    field.isReadOnly = facts.isMarked("readOnly")
    field.defaultValue = facts.defaultValue
    field.examples = facts.examples
    field.options = options
    limit(&field, by: facts)
    let isNumber = kind == .number || kind == .integer
    let unit = isNumber ? UnitHint(key: location.key, notes: facts.notes) : nil
    field.unit = unit?.name
    if field.label.isEmpty { field.label = FormWords.label(location.key ?? "", without: unit) }
    field.placeholder = (facts.examples.first ?? facts.defaultValue).flatMap { value in
      Self.isScalar(kind) ? value.string ?? value.text() : nil
    }
    return field
  }

  private func kind(of facts: FormFacts) -> (FormField.Kind, [FormOption]) {
    if let values = facts.values {
      if Set(values) == [true, false] { return (.toggle, []) }
      let real = values.filter { !$0.isNull }
      return (
        .select, real.map { FormOption(value: $0, label: FormWords.label(of: $0), help: nil) }
      )
    }
    let options = Self.options(facts, program)
    if !options.isEmpty { return (.select, options) }
    if !Self.branches(facts, program).isEmpty { return (.choice, []) }
    return (kind(of: facts.types.subtracting(.null), facts), [])
  }

  private func kind(of types: TypeSet, _ facts: FormFacts) -> FormField.Kind {
    switch types {
    case .string:
      facts.isMarked("writeOnly") || facts.text("format") == "password" ? .password : .text
    case .boolean: .toggle
    case .integer, .plainInteger: .integer
    case .number, .fraction: .number
    case .array: .list
    case .object: facts.properties.isEmpty && facts.conditionals.isEmpty ? .map : .group
    case _ where types == TypeSet.all.subtracting(.null):
      facts.properties.isEmpty ? .json : .group
    // A text such as "256MB", or a number. The program that reads it distinguishes them.
    case _ where types.isSubset(of: [.string, .number]): .text
    default: .json
    }
  }

  private func limit(_ field: inout FormField, by facts: FormFacts) {
    for keyword in facts.keywords {
      switch keyword {
      case .multipleOf(let step): field.limits.step = step
      case .bound(let bound): field.limits.add(bound)
      case .size(let bound):
        if bound.isMinimum {
          field.limits.minimumCount = max(bound.limit, field.limits.minimumCount ?? 0)
        } else {
          field.limits.maxCount = min(bound.limit, field.limits.maxCount ?? .max)
        }
      case .pattern(let pattern): field.pattern = pattern.text
      case .uniqueItems: field.limits.isUnique = true
      default: break
      }
    }
    field.format = facts.text("format")
    if field.kind == .integer, field.limits.step == nil { field.limits.step = 1 }
  }

  private static func isScalar(_ kind: FormField.Kind) -> Bool {
    [.text, .password, .number, .integer].contains(kind)
  }
}

extension FormLimits {
  fileprivate mutating func add(_ bound: NumberBound) {
    let excludes = bound.relation == .exclusiveMinimum || bound.relation == .exclusiveMaximum
    switch bound.relation {
    case .minimum, .exclusiveMinimum:
      if let minimum, minimum > bound.limit { return }
      minimum = bound.limit
      excludesMinimum = excludes
    case .maximum, .exclusiveMaximum:
      if let maximum, maximum < bound.limit { return }
      maximum = bound.limit
      excludesMaximum = excludes
    }
  }
}
