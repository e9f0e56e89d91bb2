import AgentJSON

/// Lowers a compiled schema to a fast program.
///
/// Each unit has a body of instructions for each kind of value, which contains only the demands on
/// that kind. A short body of another schema for the same value (`$ref`, `allOf`) is copied into
/// the unit's own body, so the other schema is lowered first.
struct FastLowering {
  let program: SchemaProgram
  var parts = FastParts()
  var units: FastUnits
  /// The unit that is being lowered.
  var unit = FastUnit(node: 0)
  private var states: [State] = []
  private var sizes: [Size] = []
  private var pending = [0]
  /// Whether everything could be expressed until now.
  private(set) var isComplete = true

  private enum State { case waiting, open, done }

  /// The size of a unit with all units that evaluate the same value because of it.
  private struct Size {
    /// The longest chain of schemas.
    var height = 1
    /// The number of schemas that run, each counted as often as it runs.
    var weight = 1
  }

  /// The largest weight. A schema that multiplies itself is left to `Evaluation`, which stores its
  /// results.
  private static let heaviest = 10_000

  /// Returns the fast program, or `nil` if a part of the schema can't be expressed.
  static func lower(_ program: SchemaProgram) -> FastProgram? {
    var lowering = FastLowering(program)
    // A list in place of recursion, so that no nesting of schemas is too deep.
    while let next = lowering.pending.popLast() {
      lowering.lower(next)
      guard lowering.isComplete else { return nil }
    }
    return FastProgram(lowering.parts, height: lowering.sizes.map(\.height).max() ?? 1)
  }

  private init(_ program: SchemaProgram) {
    self.program = program
    units = FastUnits(program)
    addMissingUnits()
  }

  private mutating func addMissingUnits() {
    let missing = units.count - states.count
    guard missing > 0 else { return }
    states += Array(repeating: .waiting, count: missing)
    sizes += Array(repeating: Size(), count: missing)
    parts.entries += Array(repeating: .rejectBody, count: missing * 16)
  }

  mutating func giveUp() {
    isComplete = false
  }

  /// Lowers a unit after its partners. The recursion is bounded, because the compiler refuses long
  /// chains (``SchemaLoops``).
  private mutating func lower(_ index: Int) {
    guard states[index] == .waiting else { return }
    states[index] = .open
    let own = units[index]
    let node = program.nodes[own.node]
    for partner in partners(of: own) {
      // Only a reference that depends on the path can form a loop here.
      if states[partner] == .open { giveUp() }
      lower(partner)
      guard isComplete else { return }
      sizes[index].height = max(sizes[index].height, sizes[partner].height + 1)
      sizes[index].weight += sizes[partner].weight
    }
    guard sizes[index].weight <= Self.heaviest, units.count <= FastUnits.most else {
      return giveUp()
    }
    unit = own
    // `type` is always the first keyword if a schema has it.
    let types = node.keywords.first?.types ?? .all
    // The entries of other kinds already reject.
    for kind in FastKind.allCases where !types.isDisjoint(with: kind.types) {
      let body = body(node, kind)
      parts.entries[index << 4 | kind.tag] = body
      if let tag = kind.otherTag { parts.entries[index << 4 | tag] = body }
    }
    states[index] = .done
  }

  /// Returns the units that evaluate the same value.
  private mutating func partners(of unit: FastUnit) -> [Int] {
    self.unit = unit
    var partners: [Int] = []
    for keyword in program.nodes[unit.node].keywords {
      switch keyword {
      case .not(let node): partners.append(units.index(of: node, from: unit, tracks: false))
      case .dynamicReference(let node, let anchor):
        partners.append(partner(units.target(of: anchor, from: unit) ?? node))
      case .reference, .allOf, .anyOf, .oneOf, .conditional, .dependentSchemas:
        for node in keyword.partners { partners.append(partner(node)) }
      default: continue
      }
    }
    addMissingUnits()
    return partners
  }

  /// Returns the unit of a schema for the same value. `partners` creates all of them before a body
  /// is created.
  mutating func partner(_ node: Int) -> Int {
    units.index(of: node, from: unit, tracks: unit.tracks || program.nodes[unit.node].tracks)
  }

  /// Returns the unit of a schema for a value inside this one.
  mutating func child(_ node: Int) -> UInt32 {
    let index = units.index(of: node, from: unit, tracks: false)
    addMissingUnits()
    if states[index] == .waiting { pending.append(index) }
    return UInt32(index)
  }

  /// Creates the body for a kind of value. Most kinds of a schema need none, because they accept or
  /// reject.
  private mutating func body(_ node: SchemaNode, _ kind: FastKind) -> UInt32 {
    var steps: [FastInstruction] = []
    for keyword in node.keywords where !add(keyword, kind: kind, to: &steps) { return .rejectBody }
    if kind == .object, !addMembers(node, &steps) { return .rejectBody }
    let body = finish(&steps)
    guard node.tracks, kind == .object || kind == .array, body > .rejectBody else { return body }
    var wrapped = [
      FastInstruction(operation: .fresh, a: body, b: unit.tracks ? 1 : 0)
    ]
    return finish(&wrapped)
  }

  /// Writes a body into the program, cheap steps first.
  mutating func finish(_ steps: inout [FastInstruction]) -> UInt32 {
    guard let first = steps.first else { return .acceptBody }
    // A body that only calls another one is replaced by it.
    if steps.count == 1, first.operation == .call { return first.a }
    steps.sortByCost()
    let place = UInt32(parts.code.count)
    parts.code += steps
    if let last = steps.last, last.operation == .call {
      // A jump needs no stack frame, and no `accept` after it.
      parts.code[parts.code.count - 1].operation = .jump
    } else {
      parts.code.append(FastInstruction(operation: .accept))
    }
    return place
  }

  /// Returns the body of another schema for the same value, which was lowered before.
  mutating func body(of node: Int, _ kind: FastKind) -> UInt32 {
    parts.entries[partner(node) << 4 | kind.tag]
  }

  /// The largest number of steps of a body that is copied into the bodies that use it.
  private static let longestCopied = 6

  /// Adds the steps of another body, or a call of it.
  /// - Returns: false if it rejects.
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

extension SchemaKeyword {
  /// The types that a demand for a type allows. `nil` for another demand.
  fileprivate var types: TypeSet? {
    if case .type(let types) = self { types } else { nil }
  }
}
