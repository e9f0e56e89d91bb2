/// One search by backtracking.
struct BacktrackingRun {
  private let pattern: PatternBacktracker
  private let text: [UInt32]
  /// The start and end of each group, and the count of each repetition. −1 means none.
  private var registers: [Int]
  /// Earlier values of registers. They are restored when an alternative fails.
  private var trail: [(register: Int, value: Int)] = []
  /// The alternatives that weren't tried yet.
  private var ways: [Way] = []
  private var steps: Int

  private struct Way {
    let instruction: Int
    let place: Int
    let trail: Int
    /// Whether the alternative begins another turn of the repetition.
    var turns = false
  }

  init(_ pattern: PatternBacktracker, _ text: [UInt32]) {
    self.pattern = pattern
    self.text = text
    registers = Array(repeating: -1, count: pattern.registers)
    steps = PatternBacktracker.steps + PatternBacktracker.stepsAByte * text.count
  }

  mutating func search() -> Pattern.Outcome {
    for place in 0...(pattern.isAnchored ? 0 : text.count) {
      if run(from: 0, at: place) { return .matches }
      guard steps > 0 else { return .exhausted }
      undo(to: 0)
    }
    return .differs
  }

  /// Returns whether an alternative from here ends in a match. The registers then have the values
  /// of that alternative.
  private mutating func run(from start: Int, at place: Int) -> Bool {
    let base = ways.count
    defer { ways.removeSubrange(base...) }
    var here: (instruction: Int, place: Int)? = (start, place)
    while steps > 0 {
      steps -= 1
      guard let (instruction, place) = here else {
        guard ways.count > base, let way = ways.popLast() else { return false }
        undo(to: way.trail)
        here = (way.instruction, way.place)
        if way.turns, case .loop(let loop) = pattern.instructions[way.instruction] {
          here = turn(loop, way.place)
        }
        continue
      }
      if case .match = pattern.instructions[instruction] { return true }
      here = step(instruction, place)
    }
    return false
  }

  /// Returns the next instruction and place, or `nil` if this alternative fails.
  private mutating func step(_ instruction: Int, _ place: Int) -> (Int, Int)? {
    switch pattern.instructions[instruction] {
    case .accept(let set, let isBackward):
      let index = isBackward ? place - 1 : place
      guard text.indices.contains(index), set.contains(text[index]) else { return nil }
      return (instruction + 1, isBackward ? place - 1 : place + 1)
    case .assertion(let assertion):
      let before = place > 0 ? Neighbor(text[place - 1]) : .edge
      let after = place < text.count ? Neighbor(text[place]) : .edge
      return assertion.holds(between: before, and: after) ? (instruction + 1, place) : nil
    case .fork(let first, let second):
      ways.append(Way(instruction: second, place: place, trail: trail.count))
      return (first, place)
    case .jump(let target): return (target, place)
    case .save(let register):
      set(register, place)
      return (instruction + 1, place)
    case .clear(let register):
      set(register, 0)
      return (instruction + 1, place)
    case .loop(let loop): return enter(loop, place)
    case .turnEnd(let loop):
      // A turn that consumes nothing could be repeated without end.
      let isEmpty = registers[loop.register + 1] == place
      if isEmpty, registers[loop.register] > loop.least { return nil }
      return (loop.start, place)
    case .reference(let register, let ignoresCase, let isBackward):
      return caught(register, at: place, ignoresCase: ignoresCase, isBackward: isBackward).map {
        (instruction + 1, $0)
      }
    case .look(let isNegated, let end):
      return look(instruction, at: place, isNegated: isNegated) ? (end, place) : nil
    case .match: return nil
    }
  }

  /// Chooses at the head of a repetition: another turn, the end of the repetition, or one after the
  /// other.
  private mutating func enter(_ loop: PatternBacktracker.Loop, _ place: Int) -> (Int, Int)? {
    let count = registers[loop.register]
    if count < loop.least { return turn(loop, place) }
    if count >= loop.most { return (loop.end, place) }
    if loop.isLazy {
      ways.append(Way(instruction: loop.start, place: place, trail: trail.count, turns: true))
      return (loop.end, place)
    }
    ways.append(Way(instruction: loop.end, place: place, trail: trail.count))
    return turn(loop, place)
  }

  private mutating func turn(_ loop: PatternBacktracker.Loop, _ place: Int) -> (Int, Int) {
    set(loop.register, registers[loop.register] + 1)
    set(loop.register + 1, place)
    for register in loop.inside where registers[register] >= 0 { set(register, -1) }
    return (loop.start + 1, place)
  }

  private mutating func look(_ instruction: Int, at place: Int, isNegated: Bool) -> Bool {
    let before = trail.count
    let isFound = run(from: instruction + 1, at: place)
    // A negated look-around leaves no groups.
    if isNegated || !isFound { undo(to: before) }
    return isFound != isNegated && steps > 0
  }

  /// Returns the place after a repetition of a group's text. The place doesn't change if the group
  /// matched nothing.
  private mutating func caught(
    _ register: Int, at place: Int, ignoresCase: Bool, isBackward: Bool
  ) -> Int? {
    let start = registers[register]
    let count = registers[register + 1] - start
    guard start >= 0, registers[register + 1] >= 0, count > 0 else { return place }
    let target = isBackward ? place - count : place
    guard target >= 0, target + count <= text.count else { return nil }
    steps -= count
    for index in 0..<count {
      let one = text[start + index]
      let two = text[target + index]
      guard one == two || (ignoresCase && CaseFolding.fold(one) == CaseFolding.fold(two)) else {
        return nil
      }
    }
    return isBackward ? target : target + count
  }

  private mutating func set(_ register: Int, _ value: Int) {
    trail.append((register, registers[register]))
    registers[register] = value
  }

  private mutating func undo(to count: Int) {
    while trail.count > count, let change = trail.popLast() {
      registers[change.register] = change.value
    }
  }
}
