import AgentJSON

extension FormBuilder {
  /// Adds the branches of a choice. Each has the fields that the others don't share.
  mutating func choose(_ field: inout FormField, _ facts: FormFacts, at location: FormLocation) {
    field.fields = fields(of: facts, at: location)
    let targets = Self.branches(facts, program)
    let keys = program.discriminators(of: targets)
    field.discriminator = keys.first?.key
    let shared = Set(field.fields.compactMap(\.key) + [field.discriminator].compactMap(\.self))
    // The choice itself asks for the discriminator.
    field.fields.removeAll { $0.key == field.discriminator }
    for (number, target) in targets.enumerated() {
      let branch = FormFacts([target], program)
      let value = keys.first?.value(of: target)
      var inner = location
      inner.without = shared
      let part = self.field([target], at: inner)
      let label =
        branch.title ?? value.map { $0.string.map(FormWords.label) ?? $0.text() }
        ?? Self.name(of: branch) ?? "Form \(number + 1)"
      field.branches.append(
        FormBranch(label: label, help: branch.help, value: value, field: part))
    }
  }

  /// Returns the branches that a person can choose from. The result is empty if there is no choice.
  static func branches(_ facts: FormFacts, _ program: SchemaProgram) -> [Int] {
    for choice in facts.choices {
      let real = choice.filter { target in
        let branch = FormFacts([target], program)
        return branch.saysAnything && branch.types != .null
      }
      if real.count > 1 { return real }
    }
    return []
  }

  /// Returns values with titles, if every branch is a value: `oneOf` as a list of options.
  static func options(_ facts: FormFacts, _ program: SchemaProgram) -> [FormOption] {
    for choice in facts.choices {
      let branches = choice.map { FormFacts([$0], program) }.filter { $0.types != .null }
      let values = branches.map(\.values)
      guard !branches.isEmpty, values.allSatisfy({ $0 != nil }) else { continue }
      return zip(branches, values).flatMap { branch, values in
        (values ?? []).map { value in
          FormOption(
            value: value, label: branch.title ?? FormWords.label(of: value), help: branch.help)
        }
      }
    }
    return []
  }

  private static func name(of branch: FormFacts) -> String? {
    switch branch.types {
    case .string: "Text"
    case .number, .integer, .plainInteger: "Number"
    case .boolean: "Yes or no"
    case .array: "List"
    default: branch.properties.first.map { FormWords.label($0.key) }
    }
  }
}
