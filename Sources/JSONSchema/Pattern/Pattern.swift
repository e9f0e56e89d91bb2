/// A compiled `pattern`: a Thompson automaton whose time grows with text × pattern, never worse.
///
/// Like every `pattern` it searches: it is anchored only where it says so with `^` and `$`.
struct Pattern: Sendable {
  enum Instruction: Sendable {
    case accept(ScalarSet)
    case fork(Int, Int)
    case jump(Int)
    case textStart(Int)
    case textEnd(Int)
    case wordBoundary(Int, negated: Bool)
    case match
  }

  /// More instructions than this are refused.
  static let maximumSize = 20_000

  /// The pattern as it was written.
  let text: String
  let program: [Instruction]

  init(_ text: String) throws(PatternError) {
    self.text = text
    var assembler = PatternAssembler()
    try assembler.add(try PatternParser.parse(text))
    program = assembler.program + [.match]
  }

  /// Whether any part of the text matches.
  func matches(_ text: String) -> Bool {
    var run = PatternRun(program)
    return run.search(text.unicodeScalars)
  }
}

/// Lays a tree out as instructions; where one ends, the next begins.
private struct PatternAssembler {
  var program: [Pattern.Instruction] = []
  /// Counted beside the program, which a repeated empty group doesn't lengthen.
  private var visits = 0

  mutating func add(_ tree: PatternTree) throws(PatternError) {
    visits += 1
    guard visits < Pattern.maximumSize else { throw .tooLarge }
    let here = program.count
    switch tree {
    case .scalars(let set): program.append(.accept(set))
    case .textStart: program.append(.textStart(here + 1))
    case .textEnd: program.append(.textEnd(here + 1))
    case .wordBoundary(let negated): program.append(.wordBoundary(here + 1, negated: negated))
    case .sequence(let items): for item in items { try add(item) }
    case .choice(let branches): try addChoice(branches)
    case .repeated(let item, let least, let most): try addRepeated(item, least, most)
    }
  }

  private mutating func addChoice(_ branches: [PatternTree]) throws(PatternError) {
    var exits: [Int] = []
    for branch in branches.dropLast() {
      let fork = reserve()
      try add(branch)
      exits.append(reserve())
      program[fork] = .fork(fork + 1, program.count)
    }
    if let last = branches.last { try add(last) }
    for exit in exits { program[exit] = .jump(program.count) }
  }

  private mutating func addRepeated(
    _ item: PatternTree, _ least: Int, _ most: Int?
  ) throws(PatternError) {
    for _ in 0..<least { try add(item) }
    guard let most else {
      let fork = reserve()
      try add(item)
      program.append(.jump(fork))
      program[fork] = .fork(fork + 1, program.count)
      return
    }
    var forks: [Int] = []
    for _ in least..<most {
      forks.append(reserve())
      try add(item)
    }
    for fork in forks { program[fork] = .fork(fork + 1, program.count) }
  }

  private mutating func reserve() -> Int {
    program.append(.jump(program.count + 1))
    return program.count - 1
  }
}
