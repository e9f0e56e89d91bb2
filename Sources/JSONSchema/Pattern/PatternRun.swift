/// One search: the set of places where the automaton may be, moved over the text once.
struct PatternRun {
  private let program: [Pattern.Instruction]
  private var current: [Int] = []
  private var following: [Int] = []
  /// For each instruction the step in which it was last reached: each is visited once a step,
  /// which is what bounds the time and ends empty loops.
  private var reached: [Int]
  private var step = 0
  private var stack: [Int] = []
  private var matched = false

  init(_ program: [Pattern.Instruction]) {
    self.program = program
    reached = Array(repeating: -1, count: program.count)
  }

  mutating func search(_ text: String.UnicodeScalarView) -> Bool {
    var before: Unicode.Scalar?
    var index = text.startIndex
    while true {
      let after = index < text.endIndex ? text[index] : nil
      // A match may begin anywhere, so that the start is added at every step.
      follow(0, before, after)
      if matched { return true }
      guard let scalar = after else { return false }
      index = text.index(after: index)
      advance(over: scalar, next: index < text.endIndex ? text[index] : nil)
      before = scalar
    }
  }

  private mutating func advance(over scalar: Unicode.Scalar, next: Unicode.Scalar?) {
    step += 1
    swap(&current, &following)
    current.removeAll(keepingCapacity: true)
    for index in following.indices {
      let place = following[index]
      guard case .accept(let set) = program[place], set.contains(scalar) else { continue }
      follow(place + 1, scalar, next)
    }
  }

  /// Adds all that is reached from `start` without reading, between the two scalars given.
  private mutating func follow(
    _ start: Int, _ before: Unicode.Scalar?, _ after: Unicode.Scalar?
  ) {
    stack.append(start)
    while let place = stack.popLast() {
      guard reached[place] != step else { continue }
      reached[place] = step
      switch program[place] {
      case .accept: current.append(place)
      case .jump(let target): stack.append(target)
      case .fork(let first, let second):
        stack.append(second)
        stack.append(first)
      case .textStart(let target): if before == nil { stack.append(target) }
      case .textEnd(let target): if after == nil { stack.append(target) }
      case .wordBoundary(let target, let negated):
        let isBoundary = Self.isWord(before) != Self.isWord(after)
        if isBoundary != negated { stack.append(target) }
      case .match: matched = true
      }
    }
  }

  private static func isWord(_ scalar: Unicode.Scalar?) -> Bool {
    scalar.map(ScalarSet.isWord) ?? false
  }
}
