/// A deterministic automaton: one look-up for each character.
///
/// It doesn't change after `init`, so threads may share it.
final class PatternTable: @unchecked Sendable {
  /// In row 0 no match is possible any more. In row 1 a match was found.
  private static let dead = 0

  private let alphabet: PatternAlphabet
  private let width: Int
  /// The class of each ASCII byte.
  private let ascii: UnsafeMutablePointer<UInt8>
  /// One row for each state, with one column for each class and a last one for the end of the text.
  /// A cell contains the start of the next row.
  private let cells: UnsafeMutablePointer<UInt16>
  private let start: Int

  /// Returns `nil` if the table would be too large. The automaton must then be simulated.
  init?(_ program: PatternProgram) {
    guard let alphabet = PatternAlphabet(program) else { return nil }
    var builder = PatternTableBuilder(program, alphabet)
    guard let rows = builder.rows() else { return nil }
    self.alphabet = alphabet
    width = alphabet.letters.count + 1
    start = 2 * width
    cells = .allocate(capacity: rows.count)
    cells.initialize(from: rows, count: rows.count)
    ascii = .allocate(capacity: 128)
    ascii.initialize(from: alphabet.ascii, count: 128)
  }

  deinit {
    cells.deallocate()
    ascii.deallocate()
  }

  func matches(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let cells = UnsafePointer(cells)
    let ascii = UnsafePointer(ascii)
    let matched = width
    var row = start
    guard var place = bytes.baseAddress.map({ UnsafePointer($0) }) else {
      return Int(cells[row + width - 1]) == matched
    }
    let end = place + bytes.count
    while place < end {
      let byte = place.pointee
      let column: UInt8
      if byte < 0x80 {
        column = ascii[Int(byte)]
        place += 1
      } else {
        column = alphabet.number(beyondASCII: UTF8Text.scalar(at: &place, end))
      }
      row = Int(cells[row + Int(column)])
      if row <= matched { return row == matched }
    }
    return Int(cells[row + width - 1]) == matched
  }
}

/// Finds the states of an automaton. Each is a set of its instructions.
private struct PatternTableBuilder {
  /// The largest number of cells, because a cell refers to another by two bytes.
  private static let maxCells = 65_535
  /// The largest number of followed instructions. A pattern that needs more is simulated.
  private static let maxWork = 100_000

  private struct State: Hashable {
    /// The instructions to follow.
    let places: [Int]
    /// The scalar before. Empty if no assertion depends on it.
    let before: Neighbor
  }

  /// The states that are reached without a scalar.
  private struct Closure {
    let after: Neighbor
    /// The instructions that wait for a scalar.
    let waiting: [(place: Int, set: Int)]
    let isMatched: Bool
  }

  private let program: PatternProgram
  private let alphabet: PatternAlphabet
  private var states: [State] = []
  private var numbers: [State: Int] = [:]
  private var reached: [Int]
  private var step = 0
  private var stack: [Int] = []
  private var work = 0

  init(_ program: PatternProgram, _ alphabet: PatternAlphabet) {
    self.program = program
    self.alphabet = alphabet
    reached = Array(repeating: -1, count: program.instructions.count)
  }

  private var width: Int { alphabet.letters.count + 1 }

  /// Returns all rows in one array, or `nil` if there are too many.
  mutating func rows() -> [UInt16]? {
    var rows = [UInt16](repeating: 0, count: width)
    rows += [UInt16](repeating: UInt16(width), count: width)
    _ = number(State(places: [0], before: .edge))
    var next = 0
    while next < states.count {
      guard (states.count + 2) * width <= Self.maxCells, work <= Self.maxWork else {
        return nil
      }
      let row = row(of: states[next])
      for cell in row { rows.append(UInt16(truncatingIfNeeded: cell * width)) }
      next += 1
    }
    return (states.count + 2) * width <= Self.maxCells ? rows : nil
  }

  private mutating func row(of state: State) -> [Int] {
    var row: [Int] = []
    var closures: [Closure] = []
    for letter in alphabet.letters {
      let closure = closure(of: state, letter.neighbor, &closures)
      row.append(closure.isMatched ? 1 : step(closure, letter))
    }
    row.append(closure(of: state, .edge, &closures).isMatched ? 1 : 0)
    return row
  }

  /// Returns the state after a scalar of this class, or 0 if there is none.
  private mutating func step(_ closure: Closure, _ letter: PatternAlphabet.Letter) -> Int {
    var places = program.isAnchored ? [] : [0]
    for (place, set) in closure.waiting where letter.belongs(to: set) { places.append(place + 1) }
    guard !places.isEmpty else { return 0 }
    places.sort()
    return number(State(places: places, before: letter.neighbor))
  }

  private mutating func number(_ state: State) -> Int {
    if let number = numbers[state] { return number }
    states.append(state)
    numbers[state] = states.count + 1
    return states.count + 1
  }

  private mutating func closure(
    of state: State, _ after: Neighbor, _ known: inout [Closure]
  ) -> Closure {
    if let closure = known.first(where: { $0.after == after }) { return closure }
    step += 1
    var waiting: [(place: Int, set: Int)] = []
    var isMatched = false
    stack += state.places
    while let place = stack.popLast() {
      guard reached[place] != step else { continue }
      reached[place] = step
      work += 1
      switch program.instructions[place] {
      case .accept(let set): waiting.append((place, set))
      case .jump(let target): stack.append(target)
      case .fork(let first, let second): stack += [first, second]
      case .assertion(let assertion):
        if assertion.holds(between: state.before, and: after) { stack.append(place + 1) }
      // Patterns with look-around are simulated.
      case .look: break
      case .match: isMatched = true
      }
    }
    let closure = Closure(after: after, waiting: waiting, isMatched: isMatched)
    known.append(closure)
    return closure
  }
}
