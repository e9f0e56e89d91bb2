import AgentJSON

/// One check of one document by a fast program.
///
/// It reads memory without bounds checks. The indices come from lowering and from the parser, whose
/// records are consistent by construction.
///
/// Rationale: it contains only a pointer to its state. Otherwise, half of the time of a small check
/// went into copying the state and counting its references.
struct FastRun {
  /// The state that a check reads and writes. It is on the stack of `FastProgram.verdict`, and
  /// contains no counted references.
  struct State {
    let memory: FastProgram.Memory
    let records: UnsafePointer<JSONRecord>
    let bytes: UnsafePointer<UInt8>
    let byteCount: Int
    /// The number of values and schemas that may still be evaluated, as in `Evaluation`.
    fileprivate(set) var remainingSteps: Int
    /// Whether no steps remain because a pattern took too many. `Evaluation` would end its check
    /// too.
    fileprivate(set) var isGivenUp = false
    /// The start of the marks of the current value.
    var firstMark = 0
    let rare: UnsafeMutablePointer<Rare>

    init?(memory: FastProgram.Memory, tape: JSONTape, rare: UnsafeMutablePointer<Rare>) {
      guard let records = tape.records.baseAddress, let bytes = tape.bytes.baseAddress else {
        return nil
      }
      self.memory = memory
      self.records = records
      self.bytes = bytes
      byteCount = tape.bytes.count
      let root = records[tape.index]
      // The number depends on the bytes of the checked value, which may be a part of the document.
      remainingSteps = EvaluationScope.steps(forBytes: Int(root.end) - Int(root.start))
      self.rare = rare
    }
  }

  /// The state that is rarely needed: for escapes, long numbers, constants and marks.
  struct Rare {
    // Not counted: `verdict` is a method of the program, which lives until the check has ended.
    unowned(unsafe) let program: FastProgram
    let node: JSONNode
    /// The marks of members and elements. See `FastRun+Coverage.swift`.
    var marks: [UInt64] = []
  }

  let state: UnsafeMutablePointer<State>

  @inline(__always) var memory: FastProgram.Memory { state.pointee.memory }
  @inline(__always) var records: UnsafePointer<JSONRecord> { state.pointee.records }
  @inline(__always) var bytes: UnsafePointer<UInt8> { state.pointee.bytes }
  @inline(__always) var byteCount: Int { state.pointee.byteCount }
  @inline(__always) var program: FastProgram { state.pointee.rare.pointee.program }
  @inline(__always) var document: JSONDocument { state.pointee.rare.pointee.node.document }

  /// Returns whether value `index` matches a unit.
  @inline(__always)
  func fits(_ unit: UInt32, _ index: Int) -> Bool {
    // The lower four bits of a tag are kind and mark, so that no branch must distinguish them.
    let body = memory.entries[Int(unit) &<< 4 | Int(records[index].tag & 15)]
    if body <= .rejectBody { return body == .acceptBody }
    return run(body, index)
  }

  /// Takes the steps for a loop over `count` values.
  /// - Returns: false if fewer remain.
  @inline(__always)
  func take(_ count: Int) -> Bool {
    state.pointee.remainingSteps &-= count
    return state.pointee.remainingSteps > 0
  }

  /// Ends the check. Its result is then meaningless.
  func giveUp() {
    state.pointee.isGivenUp = true
    // Every loop and every body takes steps, so all of them end.
    state.pointee.remainingSteps = 0
  }

  /// Returns whether value `index` meets a body of instructions.
  func run(_ body: UInt32, _ index: Int) -> Bool {
    // Each body takes a step. Otherwise, a schema that multiplies itself would never end.
    guard take(1) else { return false }
    var place = Int(body)
    while true {
      let step = memory.code[place]
      let holds: Bool
      switch step.operation {
      case .accept: return true
      case .reject: return false
      case .jump:
        place = Int(step.a)
        continue
      case .call: holds = run(step.a, index)
      // These operations are frequent and short, so only their code is in the loop itself.
      case .isString: holds = isString(step.a, index)
      case .isAnyString: holds = isAnyString(step.a, shift: step.b, index: index)
      case .integerRange: holds = isWithin(step, index)
      case .length: holds = hasLength(least: Int(step.a), most: Int(step.b), at: index)
      case .count:
        let count = UInt32(truncatingIfNeeded: records[index].count)
        holds = count >= step.a && count <= step.b
      case .members: holds = members(memory.members[Int(step.a)], index)
      case .elements: holds = elements(step, index)
      default: holds = runOther(step, index)
      }
      if !holds { return false }
      place &+= 1
    }
  }

  /// Runs the steps that are rare or take longer anyway.
  ///
  /// Rationale: the loop was slower with rare operations in it (docs/benchmarks.md).
  @inline(never)
  private func runOther(_ step: FastInstruction, _ index: Int) -> Bool {
    switch step.operation {
    case .equalsAny: equalsAny(step.a, index)
    case .isAnyValue: isAnyValue(step.a, index)
    case .pattern: matches(Int(step.a), index)
    case .format: hasFormat(Int(step.a), index)
    case .content: hasContent(Int(step.a), index)
    case .integral: isIntegral(index)
    case .integerMultiple: isMultiple(step, index)
    case .decimalBound: isWithinDecimal(step, index)
    case .decimalMultiple: isDecimalMultiple(step, index)
    case .exactNumber: meetsExactly(step.b, index)
    case .unique: isUnique(index)
    case .contains: contains(step, index)
    case .anyMembers: anyMembers(memory.members[Int(step.a)], index)
    case .keysPresent: hasKeys(step.a, index)
    case .keyNeedsKey: !hasKey(step.a, index) || hasKey(step.b, index)
    case .keyNeedsBody: !hasKey(step.a, index) || run(step.b, index)
    case .keysNeedBodies: dependents(FastTable(start: step.a, shift: step.b), index)
    case .anyOf: anyOf(step.a, index)
    case .oneOf: oneOf(step.a, index)
    case .noneOf: !anyOf(step.a, index)
    case .either: run(run(step.a, index) ? step.b : step.c, index)
    case .choice: choose(memory.choices[Int(step.a)], index)
    case .fresh: fresh(step, index)
    case .coverElements: coverElements(step, index)
    case .coverContained: coverContained(step, index)
    case .coverAnyOf: coverAnyOf(step.a, index)
    case .coverOneOf: coverOneOf(step.a, index)
    case .coverEither: run(probe(step.a, index) ? step.b : step.c, index)
    case .uncoveredElements: uncoveredElements(step.a, index)
    case .uncoveredMembers: uncoveredMembers(step.a, index)
    default: false
    }
  }
}
