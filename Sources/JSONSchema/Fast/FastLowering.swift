import AgentJSON

/// Lowers a compiled schema to a fast program.
///
/// Each unit gets a body of instructions for each kind of value, so that a body holds only what
/// that kind needs. What a schema takes over from another one for the same value (`$ref`, `allOf`)
/// is put into its own body where it is short; the schemas it needs for that are lowered first.
struct FastLowering {
  let program: SchemaProgram
  var parts = FastParts()
  private var states: [State]
  private var sizes: [Size]
  /// False once something can't be expressed.
  private(set) var isComplete = true

  private enum State { case waiting, open, done }

  /// A schema with all that looks at the same value because of it.
  private struct Size {
    /// How many schemas follow on each other at most.
    var height = 1
    /// How many schemas are looked at, each as often as it is.
    var weight = 1
  }

  /// A schema that multiplies itself is left to `Evaluation`, which gives up on it. Folded, it
  /// might be decided all the same, and the two would disagree.
  private static let heaviest = 10_000

  /// The fast program, or nil where the schema has something that can't be expressed.
  static func lower(_ program: SchemaProgram) -> FastProgram? {
    var lowering = FastLowering(program)
    for unit in program.nodes.indices {
      lowering.lower(unit)
      guard lowering.isComplete else { return nil }
    }
    return FastProgram(lowering.parts, height: lowering.sizes.map(\.height).max() ?? 1)
  }

  private init(_ program: SchemaProgram) {
    self.program = program
    states = Array(repeating: .waiting, count: program.nodes.count)
    sizes = Array(repeating: Size(), count: program.nodes.count)
    parts.entries = Array(repeating: .rejectBody, count: program.nodes.count * 16)
  }

  mutating func giveUp() {
    isComplete = false
  }

  /// Partners first: the chain of them is limited when the schema is compiled.
  private mutating func lower(_ unit: Int) {
    guard states[unit] == .waiting else { return }
    states[unit] = .open
    let node = program.nodes[unit]
    for partner in node.partners {
      // Only a reference that is resolved while checking can lead back here.
      if states[partner] == .open { giveUp() }
      lower(partner)
      guard isComplete else { return }
      sizes[unit].height = max(sizes[unit].height, sizes[partner].height + 1)
      sizes[unit].weight += sizes[partner].weight
    }
    if sizes[unit].weight > Self.heaviest { return giveUp() }
    for kind in FastKind.allCases {
      let body = body(node, kind)
      for tag in kind.tags { parts.entries[unit << 4 | tag] = body }
    }
    states[unit] = .done
  }

  /// The body for a kind of value; most need none.
  private mutating func body(_ node: SchemaNode, _ kind: FastKind) -> UInt32 {
    var steps: [FastInstruction] = []
    for keyword in node.keywords where !add(keyword, kind, &steps) { return .rejectBody }
    if kind == .object, !addMembers(node, &steps) { return .rejectBody }
    return finish(&steps)
  }

  /// Lays a body out, cheap steps first.
  private mutating func finish(_ steps: inout [FastInstruction]) -> UInt32 {
    guard let first = steps.first else { return .acceptBody }
    if steps.count == 1, first.operation == .call { return first.a }
    steps.sortByCost()
    let place = UInt32(parts.code.count)
    parts.code += steps
    if let last = steps.last, last.operation == .call {
      parts.code[parts.code.count - 1].operation = .jump
    } else {
      parts.code.append(FastInstruction(operation: .accept))
    }
    return place
  }

  /// The body of a schema that looks at the same value.
  func body(of unit: Int, _ kind: FastKind) -> UInt32 {
    parts.entries[unit << 4 | kind.tag]
  }

  /// Bodies of up to so many steps are copied into the ones that use them.
  private static let longestCopied = 6

  /// Adds what another body demands; false when it rejects.
  mutating func include(_ body: UInt32, _ steps: inout [FastInstruction]) -> Bool {
    guard body > .rejectBody else { return body == .acceptBody }
    let start = Int(body)
    for length in 0...Self.longestCopied {
      let step = parts.code[start + length]
      guard step.operation == .accept || step.operation == .jump else { continue }
      steps += parts.code[start..<start + length]
      if step.operation == .jump {
        steps.append(FastInstruction(operation: .call, a: step.a))
      }
      return true
    }
    steps.append(FastInstruction(operation: .call, a: body))
    return true
  }

  mutating func list(_ values: [UInt32]) -> UInt32 {
    parts.lists.append(UInt32(values.count))
    parts.lists += values
    return UInt32(parts.lists.count - values.count - 1)
  }
}

extension [FastInstruction] {
  /// Cheap steps first, otherwise in the same order. Bodies are short.
  fileprivate mutating func sortByCost() {
    for index in indices.dropFirst() {
      var place = index
      while place > 0, self[place].operation.cost < self[place - 1].operation.cost {
        swapAt(place, place - 1)
        place -= 1
      }
    }
  }
}

extension FastInstruction.Operation {
  /// A rough order of what takes longer.
  fileprivate var cost: Int {
    switch self {
    case .accept, .reject, .isString, .isAnyString, .count: 0
    case .length, .integral, .integerRange, .integerMultiple: 1
    case .decimalBound, .decimalMultiple, .exactNumber, .equalsAny, .key, .keyNeedsKey: 2
    case .members, .elements: 3
    case .format, .pattern, .content: 4
    case .anyMembers, .call, .jump, .choice, .keyNeedsBody, .contains: 5
    case .anyOf, .oneOf, .noneOf, .either, .unique: 6
    }
  }
}
