/// A pattern without back-references, as an automaton that can be in many states at once.
struct PatternProgram: Sendable {
  enum Instruction: Sendable {
    case accept(set: Int)
    case fork(Int, Int)
    case jump(Int)
    case assertion(PatternAssertion)
    case look(Int)
    case match
  }

  /// A look-around. Its automaton runs over the whole text first.
  struct Look: Sendable {
    let program: PatternProgram
    let isBehind: Bool
    let isNegated: Bool
  }

  /// The largest number of instructions.
  static let maxSize = 50_000

  fileprivate(set) var instructions: [Instruction] = []
  fileprivate(set) var sets: [ScalarSet] = []
  fileprivate(set) var looks: [Look] = []
  /// Whether a match can only begin at the start of the text.
  fileprivate(set) var isAnchored = false

  init(_ tree: PatternTree) throws(PatternError) {
    var budget = Self.maxSize
    self = try Self.assembled(tree, isBackward: false, &budget)
    isAnchored = tree.isAnchored
  }

  private init() {}

  /// Returns the automaton of a tree. It runs from the start of the text or from its end.
  fileprivate static func assembled(
    _ tree: PatternTree, isBackward: Bool, _ budget: inout Int
  ) throws(PatternError) -> PatternProgram {
    var assembler = PatternAssembler(
      program: PatternProgram(), isBackward: isBackward, budget: budget)
    try assembler.add(tree)
    budget = assembler.budget
    assembler.program.instructions.append(.match)
    return assembler.program
  }
}

/// Converts a tree to instructions. Each part is followed by the next one.
private struct PatternAssembler {
  var program: PatternProgram
  let isBackward: Bool
  /// The number of parts that may still be visited. A repeated empty group makes no instruction but
  /// takes time.
  var budget: Int
  private var places: [ScalarSet: Int] = [:]

  init(program: PatternProgram, isBackward: Bool, budget: Int) {
    self.program = program
    self.isBackward = isBackward
    self.budget = budget
  }

  private var here: Int { program.instructions.count }

  mutating func add(_ tree: PatternTree) throws(PatternError) {
    budget -= 1
    guard budget > 0 else { throw .tooLarge }
    switch tree {
    case .scalars(let set): program.instructions.append(.accept(set: place(of: set)))
    case .assertion(let assertion): program.instructions.append(.assertion(assertion))
    case .sequence(let items):
      if isBackward {
        for item in items.reversed() { try add(item) }
      } else {
        for item in items { try add(item) }
      }
    case .choice(let branches): try addChoice(branches)
    case .repeated(let item, let repetition): try addRepeated(item, repetition)
    case .group(let inside, _): try add(inside)
    case .look(let inside, let look): try addLook(inside, look)
    // Patterns with back-references are matched by backtracking.
    case .reference: break
    }
  }

  private mutating func place(of set: ScalarSet) -> Int {
    if let place = places[set] { return place }
    program.sets.append(set)
    places[set] = program.sets.count - 1
    return program.sets.count - 1
  }

  private mutating func addChoice(_ branches: [PatternTree]) throws(PatternError) {
    var exits: [Int] = []
    for branch in branches.dropLast() {
      let fork = reserve()
      try add(branch)
      exits.append(reserve())
      program.instructions[fork] = .fork(fork + 1, here)
    }
    if let last = branches.last { try add(last) }
    for exit in exits { program.instructions[exit] = .jump(here) }
  }

  private mutating func addRepeated(
    _ item: PatternTree, _ repetition: PatternTree.Repetition
  ) throws(PatternError) {
    let turns = PatternTree.merged(item, repetition)
    for _ in 0..<turns.least { try add(turns.item) }
    guard let most = turns.most else {
      let fork = reserve()
      try add(turns.item)
      program.instructions.append(.jump(fork))
      program.instructions[fork] = .fork(fork + 1, here)
      return
    }
    var forks: [Int] = []
    for _ in turns.least..<most {
      forks.append(reserve())
      try add(turns.item)
    }
    for fork in forks { program.instructions[fork] = .fork(fork + 1, here) }
  }

  /// Adds a look-around. A look-ahead runs from the end of the text, so that one run finds the
  /// result for every place.
  private mutating func addLook(
    _ tree: PatternTree, _ look: PatternTree.Look
  ) throws(PatternError) {
    let inside = try PatternProgram.assembled(tree, isBackward: !look.isBehind, &budget)
    program.looks.append(
      PatternProgram.Look(program: inside, isBehind: look.isBehind, isNegated: look.isNegated))
    program.instructions.append(.look(program.looks.count - 1))
  }

  private mutating func reserve() -> Int {
    program.instructions.append(.jump(here + 1))
    return here - 1
  }
}

extension PatternTree {
  /// Whether every alternative begins at the start of the text.
  var isAnchored: Bool {
    switch self {
    case .assertion(.textStart): true
    case .sequence(let items): items.first?.isAnchored ?? false
    case .choice(let branches): branches.allSatisfy(\.isAnchored)
    case .group(let inside, _): inside.isAnchored
    case .repeated(let item, let repetition): repetition.least > 0 && item.isAnchored
    default: false
    }
  }
}
