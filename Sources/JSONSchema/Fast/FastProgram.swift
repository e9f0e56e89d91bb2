import AgentJSON
import ECMARegex

/// A schema lowered for yes or no: numbers in flat memory that refer to each other by index.
/// Nothing in them is counted, hashed or compared as a Swift value.
///
/// A *unit* stands for a schema; for each kind of value it has an entry, the body of instructions
/// that the value has to meet. The bodies that accept or reject everything are the first two, so
/// that most values are decided by the lookup alone.
///
/// Rationale: a class with memory of its own, unchecked, because it is written once, in `init`, and
/// arrays in a struct would be retained and checked at every step.
final class FastProgram: @unchecked Sendable {
  /// The memory that a run reads. It belongs to the program.
  struct Memory {
    let code: UnsafePointer<FastInstruction>
    /// Sixteen bodies a unit, by kind and mark of the value.
    let entries: UnsafePointer<UInt32>
    /// Lists: a count, then as many numbers.
    let lists: UnsafePointer<UInt32>
    let slots: UnsafePointer<FastSlot>
    let text: UnsafePointer<UInt8>
    let members: UnsafePointer<FastMembers>
    let choices: UnsafePointer<FastChoice>
    let integers: UnsafePointer<Int64>
    let decimals: UnsafePointer<FastDecimal>
    let patterns: UnsafePointer<Pattern>
  }

  let memory: Memory
  private let patternCount: Int
  let formats: [Format]
  let contents: [ContentRule]
  let exact: [FastExactDemand]
  let values: [ValueChoice]
  let keys: [Set<ExactText>]
  /// An array of all constants that aren't strings, and the record of each.
  let constants: JSONDocument?
  let constantRecords: [Int]
  /// How many containers inside one another can't take `Evaluation` to its limit.
  let deepest: Int

  /// Copies the parts into memory of its own.
  /// - Parameter height: the longest chain of schemas for one and the same value.
  init(_ parts: FastParts, height: Int) {
    memory = Memory(
      code: Self.keep(parts.code), entries: Self.keep(parts.entries),
      lists: Self.keep(parts.lists), slots: Self.keep(parts.slots),
      text: Self.keep(parts.text), members: Self.keep(parts.members),
      choices: Self.keep(parts.choices), integers: Self.keep(parts.integers),
      decimals: Self.keep(parts.decimals), patterns: Self.keep(parts.patterns))
    patternCount = parts.patterns.count
    formats = parts.formats
    contents = parts.contents
    exact = parts.exact
    values = parts.values
    keys = parts.keys
    constants = parts.constants.isEmpty ? nil : JSONDocument(.array(parts.constants))
    constantRecords = constants.map(Self.elements) ?? []
    // `Evaluation` goes one level deeper for each schema of a chain.
    deepest = EvaluationScope.maxDepth / height - 1
  }

  deinit {
    memory.code.deallocate()
    memory.entries.deallocate()
    memory.lists.deallocate()
    memory.slots.deallocate()
    memory.text.deallocate()
    memory.members.deallocate()
    memory.choices.deallocate()
    memory.integers.deallocate()
    memory.decimals.deallocate()
    // Only a pattern has references; the other elements are plain numbers.
    UnsafeMutablePointer(mutating: memory.patterns).deinitialize(count: patternCount)
    memory.patterns.deallocate()
  }

  private static func elements(_ document: JSONDocument) -> [Int] {
    document.root.withTape { tape in
      var places: [Int] = []
      // Record 0 is the array itself.
      var next = 1
      while next < tape.records.count {
        places.append(next)
        next = Int(tape.records[next].next)
      }
      return places
    }
  }

  private static func keep<T>(_ values: [T]) -> UnsafePointer<T> {
    let copy = UnsafeMutableBufferPointer<T>.allocate(capacity: max(values.count, 1))
    _ = copy.initialize(from: values)
    // The capacity is at least one, so that there is an address.
    return UnsafePointer(copy.baseAddress ?? UnsafeMutablePointer<T>.allocate(capacity: 1))
  }
}

/// The parts that lowering gathers.
struct FastParts {
  var code = [FastInstruction(operation: .accept), FastInstruction(operation: .reject)]
  var entries: [UInt32] = []
  var lists: [UInt32] = []
  var slots: [FastSlot] = []
  var text: [UInt8] = []
  var members: [FastMembers] = []
  var choices: [FastChoice] = []
  var integers: [Int64] = []
  var decimals: [FastDecimal] = []
  var patterns: [Pattern] = []
  var formats: [Format] = []
  var contents: [ContentRule] = []
  var exact: [FastExactDemand] = []
  var values: [ValueChoice] = []
  var keys: [Set<ExactText>] = []
  var constants: [JSONValue] = []
}

/// A demand on numbers that the quick comparisons can't hold.
enum FastExactDemand: Sendable {
  case bound(NumberBound)
  case multiple(JSONNumber)

  func admits(_ number: JSONNumber) -> Bool {
    switch self {
    case .bound(let bound): bound.admits(number)
    case .multiple(let divisor): number.isMultiple(of: divisor)
    }
  }
}
