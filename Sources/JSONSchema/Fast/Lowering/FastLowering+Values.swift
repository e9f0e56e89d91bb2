import AgentJSON

extension FastLowering {
  /// Adds the demands of a keyword on a kind of value. `addMembers` collects those on members of
  /// objects.
  /// - Returns: false if the keyword rejects all values of the kind.
  mutating func add(
    _ keyword: SchemaKeyword, kind: FastKind, to steps: inout [FastInstruction]
  ) -> Bool {
    switch keyword {
    case .never: return false
    case .type(let types): return addType(types, kind: kind, to: &steps)
    case .const(let value): return addValues([value], kind: kind, to: &steps)
    case .enumeration(let choice): return addValues(choice.values, kind: kind, to: &steps)
    case .multipleOf(let divisor):
      if kind.isNumber { addMultiple(divisor, kind: kind, to: &steps) }
    case .bound(let bound):
      if kind.isNumber { addBound(bound, kind: kind, to: &steps) }
    case .size(let bound): addSize(bound, kind: kind, to: &steps)
    case .pattern(let pattern):
      guard kind == .string else { return true }
      steps.append(FastInstruction(operation: .pattern, a: UInt32(parts.patterns.count)))
      parts.patterns.append(pattern)
    case .format(let format):
      guard kind == .string else { return true }
      steps.append(FastInstruction(operation: .format, a: UInt32(parts.formats.count)))
      parts.formats.append(format)
    case .content(let rule):
      guard kind == .string else { return true }
      steps.append(FastInstruction(operation: .content, a: UInt32(parts.contents.count)))
      parts.contents.append(rule)
    case .elements(let rules):
      if kind == .array { addElements(rules, &steps) }
    case .uniqueItems:
      if kind == .array { steps.append(FastInstruction(operation: .unique)) }
    case .contains(let rule):
      if kind == .array { addContains(rule, &steps) }
    case .unevaluatedItems(let node):
      guard kind == .array else { return true }
      steps.append(FastInstruction(operation: .uncoveredElements, a: child(node)))
    case .unevaluatedProperties(let node):
      guard kind == .object else { return true }
      steps.append(FastInstruction(operation: .uncoveredMembers, a: child(node)))
    case .required, .propertyNames, .properties: return true
    default: return addCombination(keyword, kind: kind, to: &steps)
    }
    return true
  }

  private func addType(
    _ types: TypeSet, kind: FastKind, to steps: inout [FastInstruction]
  ) -> Bool {
    if types.contains(kind.type) { return true }
    // 5.0 is an integer since draft 6, and only its digits distinguish it from a fraction.
    guard kind == .fraction, types.contains(.otherInteger) else { return false }
    steps.append(FastInstruction(operation: .integral))
    return true
  }

  private mutating func addValues(
    _ values: [JSONValue], kind: FastKind, to steps: inout [FastInstruction]
  ) -> Bool {
    switch kind {
    // These kinds have one value each, so the result is known now.
    case .null: return values.contains(.null)
    case .no: return values.contains(.bool(false))
    case .yes: return values.contains(.bool(true))
    case .string: return addStrings(values.compactMap(\.string), &steps)
    case .integer, .fraction, .array, .object:
      let constants = values.filter { FastKind.number(kind) == $0.kind }
      guard !constants.isEmpty else { return false }
      // For more constants than this, hashing is faster than comparing.
      if constants.count > ValueChoice.largestCompared {
        steps.append(FastInstruction(operation: .isAnyValue, a: UInt32(parts.values.count)))
        parts.values.append(ValueChoice(constants))
        return true
      }
      let first = UInt32(parts.constants.count)
      parts.constants += constants
      let list = list(Array(first..<UInt32(parts.constants.count)))
      steps.append(FastInstruction(operation: .equalsAny, a: list))
      return true
    }
  }

  private mutating func addStrings(_ texts: [String], _ steps: inout [FastInstruction]) -> Bool {
    guard let only = texts.first else { return false }
    if texts.count == 1 {
      steps.append(FastInstruction(operation: .isString, a: slot(only)))
    } else {
      let table = table(texts.map { FastTable.Row(text: $0, target: 0) })
      steps.append(FastInstruction(operation: .isAnyString, a: table.start, b: table.shift))
    }
    return true
  }

  private func addSize(_ bound: SizeBound, kind: FastKind, to steps: inout [FastInstruction]) {
    let operation: FastInstruction.Operation
    switch (bound.measure, kind) {
    case (.characters, .string): operation = .length
    case (.elements, .array), (.keys, .object): operation = .count
    default: return
    }
    // No document has more characters, elements or keys than UInt32 can count.
    let limit = UInt32(clamping: bound.limit)
    var step = FastInstruction(operation: operation, a: 0, b: .max)
    // `minLength` and `maxLength` become one step, and so do the other pairs.
    if let last = steps.last, last.operation == operation { step = steps.removeLast() }
    if bound.isMinimum { step.a = max(step.a, limit) } else { step.b = min(step.b, limit) }
    steps.append(step)
  }
}

extension FastKind {
  /// The kind of JSON value.
  fileprivate static func number(_ kind: FastKind) -> JSONKind {
    switch kind {
    case .null: .null
    case .no, .yes: .bool
    case .integer, .fraction: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }
}
