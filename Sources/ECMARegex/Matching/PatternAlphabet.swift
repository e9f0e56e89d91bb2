/// The classes of scalars that an automaton doesn't distinguish. A table then has one column for
/// each class and not for each scalar.
///
/// Rationale: a table of UTF-8 bytes would need a list of each property's members, which takes
/// milliseconds. A class needs a property only for a scalar beyond ASCII.
struct PatternAlphabet: Sendable {
  /// The largest number of properties. Each one doubles the classes beyond ASCII.
  static let maxProperties = 4
  /// The largest number of classes, so that a number fits into a byte.
  private static let maxLetters = 250

  /// The common features of the scalars of a class. The end of the text is a class without a
  /// scalar.
  struct Letter: Sendable, Equatable {
    /// One bit for each set: whether the set contains the scalar.
    var members: UInt128
    var neighbor: Neighbor

    func belongs(to set: Int) -> Bool {
      members >> UInt128(set) & 1 == 1
    }
  }

  /// The class of each ASCII byte.
  private(set) var ascii: [UInt8] = []
  private(set) var letters: [Letter] = []
  /// The starts of the ranges beyond ASCII that no set divides.
  private(set) var starts: [UInt32] = [128]
  /// The class of each range, for each combination of the properties.
  private(set) var classes: [UInt8] = []
  /// The sets with properties, which are tested for each scalar beyond ASCII.
  private(set) var asked: [ScalarSet] = []

  /// Returns `nil` if there would be too many classes.
  init?(_ program: PatternProgram) {
    let sets = program.sets
    let watches = program.watchesNeighbors
    asked = sets.filter { !$0.parts.isEmpty }
    guard sets.count <= 128, asked.count <= Self.maxProperties else { return nil }
    for value in UInt32(0)..<128 {
      var letter = Letter(members: 0, neighbor: watches ? Neighbor(value) : [])
      for (bit, set) in sets.enumerated() where set.ascii.contains(UInt8(value)) {
        letter.members |= 1 << UInt128(bit)
      }
      guard let number = number(of: letter) else { return nil }
      ascii.append(number)
    }
    starts = Self.starts(sets, watches)
    for start in starts {
      for answers in 0..<(1 << asked.count) {
        let members = Self.members(start, sets: sets, answers: answers)
        let letter = Letter(members: members, neighbor: watches ? Neighbor(start) : [])
        guard let number = number(of: letter) else { return nil }
        classes.append(number)
      }
    }
  }

  private mutating func number(of letter: Letter) -> UInt8? {
    if let number = letters.firstIndex(of: letter) { return UInt8(number) }
    guard letters.count < Self.maxLetters else { return nil }
    letters.append(letter)
    return UInt8(letters.count - 1)
  }

  /// Returns the sets that contain a scalar beyond ASCII. `answers` has one bit for each set with
  /// properties.
  private static func members(_ value: UInt32, sets: [ScalarSet], answers: Int) -> UInt128 {
    var members: UInt128 = 0
    var answers = answers
    for (bit, set) in sets.enumerated() {
      let isMember = set.parts.isEmpty ? set.contains(value) : answers & 1 == 1
      if !set.parts.isEmpty { answers >>= 1 }
      if isMember { members |= 1 << UInt128(bit) }
    }
    return members
  }

  private static func starts(_ sets: [ScalarSet], _ watches: Bool) -> [UInt32] {
    var starts: Set<UInt32> = [128]
    var ranges = sets.filter(\.parts.isEmpty).flatMap(\.ranges)
    // The scalars beyond ASCII that an assertion distinguishes.
    if watches { ranges += [0x17F...0x17F, 0x2028...0x2029, 0x212A...0x212A] }
    for range in ranges where range.upperBound >= 128 {
      starts.insert(max(128, range.lowerBound))
      if range.upperBound < 0x10FFFF { starts.insert(range.upperBound + 1) }
    }
    return starts.sorted()
  }

  /// The class of a scalar beyond ASCII.
  func number(beyondASCII value: UInt32) -> UInt8 {
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= value { low = middle } else { high = middle }
    }
    var answers = 0
    for (bit, set) in asked.enumerated() where set.contains(value) { answers |= 1 << bit }
    return classes[low << asked.count | answers]
  }
}

extension PatternProgram {
  /// Whether the assertion depends on more than the ends of the text.
  fileprivate var watchesNeighbors: Bool {
    instructions.contains { instruction in
      switch instruction {
      case .assertion(.textStart), .assertion(.textEnd): false
      case .assertion: true
      default: false
      }
    }
  }
}
