/// One run of an automaton: the set of its possible states, moved over the text once.
///
/// The time grows with the length of the text times the size of the automaton, and never faster.
struct PatternSimulation {
  private let program: PatternProgram
  private let text: [UInt32]
  private let isBackward: Bool
  /// For each look-around, whether it holds at each place between two scalars.
  private let looks: [[Bool]]
  private var current: [Int] = []
  private var previous: [Int] = []
  /// For each instruction, the step in which it was last reached. Each is visited once in a step,
  /// which bounds the time and ends empty loops.
  private var reached: [Int]
  private var step = 0
  private var stack: [Int] = []
  private var isMatched = false

  init(_ program: PatternProgram, _ text: [UInt32], isBackward: Bool = false) {
    self.program = program
    self.text = text
    self.isBackward = isBackward
    reached = Array(repeating: -1, count: program.instructions.count)
    looks = program.looks.map { look in
      // The parser bounds the depth, and so this recursion.
      var run = PatternSimulation(look.program, text, isBackward: !look.isBehind)
      return run.places().map { $0 != look.isNegated }
    }
  }

  /// Returns whether any part of the text matches.
  mutating func search() -> Bool {
    for place in 0...text.count {
      arrive(at: place, canBegin: place == 0 || !program.isAnchored)
      if isMatched { return true }
      guard place < text.count, !(current.isEmpty && program.isAnchored) else { return false }
      advance(over: text[place])
    }
    return false
  }

  /// Returns for each place between two scalars whether a match ends there, or begins there in a
  /// backward run.
  private mutating func places() -> [Bool] {
    var found = [Bool](repeating: false, count: text.count + 1)
    for count in 0...text.count {
      let place = isBackward ? text.count - count : count
      arrive(at: place, canBegin: true)
      found[place] = isMatched
      isMatched = false
      if count < text.count { advance(over: text[isBackward ? place - 1 : place]) }
    }
    return found
  }

  /// Moves all states over a scalar.
  private mutating func advance(over value: UInt32) {
    swap(&current, &previous)
    current.removeAll(keepingCapacity: true)
    for index in previous.indices {
      let place = previous[index]
      guard case .accept(let set) = program.instructions[place] else { continue }
      if program.sets[set].contains(value) { current.append(place + 1) }
    }
  }

  /// Follows all instructions that need no scalar. The start is added, because a match may begin
  /// anywhere.
  private mutating func arrive(at place: Int, canBegin: Bool) {
    step += 1
    let before = place > 0 ? Neighbor(text[place - 1]) : .edge
    let after = place < text.count ? Neighbor(text[place]) : .edge
    swap(&current, &previous)
    current.removeAll(keepingCapacity: true)
    for index in previous.indices {
      addClosure(previous[index], at: place, before: before, after: after)
    }
    if canBegin { addClosure(0, at: place, before: before, after: after) }
  }

  private mutating func addClosure(
    _ start: Int, at place: Int, before: Neighbor, after: Neighbor
  ) {
    stack.append(start)
    while let instruction = stack.popLast() {
      guard reached[instruction] != step else { continue }
      reached[instruction] = step
      switch program.instructions[instruction] {
      case .accept: current.append(instruction)
      case .jump(let target): stack.append(target)
      case .fork(let first, let second):
        stack.append(second)
        stack.append(first)
      case .assertion(let assertion):
        if assertion.holds(between: before, and: after) { stack.append(instruction + 1) }
      case .look(let look): if looks[look][place] { stack.append(instruction + 1) }
      case .match: isMatched = true
      }
    }
  }
}
