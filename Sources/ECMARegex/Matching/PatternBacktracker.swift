/// A pattern with back-references. No automaton can match it, so the alternatives are tried one
/// after the other, as ECMA-262 describes, up to a number of steps.
struct PatternBacktracker: Sendable {
  enum Instruction: Sendable {
    case accept(ScalarSet, isBackward: Bool)
    case assertion(PatternAssertion)
    /// Tries the first, then the second.
    case fork(Int, Int)
    case jump(Int)
    /// Stores the place in a register.
    case save(Int)
    case clear(Int)
    case loop(Loop)
    case turnEnd(Loop)
    /// The text of a group, whose start is in the register.
    case reference(Int, ignoresCase: Bool, isBackward: Bool)
    /// A look-around. Its instructions follow, and `end` is the one after them.
    case look(isNegated: Bool, end: Int)
    case match
  }

  /// A counted repetition. One register has the number of turns, and the next one the start of the
  /// turn.
  struct Loop: Sendable {
    let least: Int
    let most: Int
    let isLazy: Bool
    /// The registers of the groups inside. Each turn clears them.
    let inside: Range<Int>
    let register: Int
    /// The places of the instruction itself and of the end of the repetition.
    let start: Int
    var end = 0
  }

  /// The number of steps of each search. Each byte of the text adds some.
  static let steps = 200_000
  static let stepsAByte = 20

  fileprivate(set) var instructions: [Instruction] = []
  fileprivate(set) var registers: Int
  let isAnchored: Bool
  private let names: [String: Int]

  init(_ parsed: ParsedPattern) throws(PatternError) {
    registers = 2 * (parsed.groupCount + 1)
    names = parsed.names
    isAnchored = parsed.tree.isAnchored
    try add(parsed.tree, isBackward: false)
    instructions.append(.match)
  }

  func search(_ bytes: UnsafeBufferPointer<UInt8>) -> Pattern.Outcome {
    var run = BacktrackingRun(self, UTF8Text.scalars(bytes))
    return run.search()
  }
}

extension PatternBacktracker {
  private mutating func add(_ tree: PatternTree, isBackward: Bool) throws(PatternError) {
    guard instructions.count < PatternProgram.maxSize else { throw .tooLarge }
    switch tree {
    case .scalars(let set): instructions.append(.accept(set, isBackward: isBackward))
    case .assertion(let assertion): instructions.append(.assertion(assertion))
    case .sequence(let items):
      for index in items.indices {
        try add(items[isBackward ? items.count - 1 - index : index], isBackward: isBackward)
      }
    case .choice(let branches): try addChoice(branches, isBackward)
    case .repeated(let item, let repetition):
      try addRepeated(item, repetition: repetition, isBackward: isBackward)
    case .group(let inside, let number):
      instructions.append(.save(2 * number + (isBackward ? 1 : 0)))
      try add(inside, isBackward: isBackward)
      instructions.append(.save(2 * number + (isBackward ? 0 : 1)))
    case .look(let inside, let look):
      let start = instructions.count
      instructions.append(.jump(0))
      try add(inside, isBackward: look.isBehind)
      instructions.append(.match)
      instructions[start] = .look(isNegated: look.isNegated, end: instructions.count)
    case .reference(let reference):
      let number = reference.number ?? names[reference.name] ?? 0
      instructions.append(
        .reference(2 * number, ignoresCase: reference.ignoresCase, isBackward: isBackward))
    }
  }

  private mutating func addChoice(
    _ branches: [PatternTree], _ isBackward: Bool
  ) throws(PatternError) {
    var exits: [Int] = []
    for branch in branches.dropLast() {
      let fork = instructions.count
      instructions.append(.jump(0))
      try add(branch, isBackward: isBackward)
      exits.append(instructions.count)
      instructions.append(.jump(0))
      instructions[fork] = .fork(fork + 1, instructions.count)
    }
    if let last = branches.last { try add(last, isBackward: isBackward) }
    for exit in exits { instructions[exit] = .jump(instructions.count) }
  }

  private mutating func addRepeated(
    _ item: PatternTree, repetition: PatternTree.Repetition, isBackward: Bool
  ) throws(PatternError) {
    let register = registers
    registers += 2
    instructions.append(.clear(register))
    var loop = Loop(
      least: repetition.least, most: repetition.most ?? Int.max, isLazy: repetition.isLazy,
      inside: (2 * repetition.groups.lowerBound)..<(2 * repetition.groups.upperBound),
      register: register, start: instructions.count)
    instructions.append(.jump(0))
    try add(item, isBackward: isBackward)
    loop.end = instructions.count + 1
    instructions.append(.turnEnd(loop))
    instructions[loop.start] = .loop(loop)
  }
}
