import AgentJSON
import ECMARegex

/// A schema lowered for results without failures. It consists of numbers in flat memory that refer
/// to each other by index, without reference counts, hashes and generic comparisons.
///
/// A *unit* represents a schema. For each kind of value it has an entry: the body of instructions
/// that the value must meet. The bodies that accept or reject everything are the first two, so the
/// look-up alone decides about most values.
///
/// Rationale: it is a class with its own memory, because arrays in a struct would be retained and
/// checked at every step. It is unchecked, because only `init` writes it.
final class FastProgram: @unchecked Sendable {
  /// The memory that a run reads. The program owns it.
  struct Memory {
    let code: UnsafePointer<FastInstruction>
    /// Sixteen bodies for each unit, by the kind and the mark of the value.
    let entries: UnsafePointer<UInt32>
    /// The lists. Each is a count, followed by the numbers.
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
  /// An array of all constants that aren't strings, and the record of each one.
  let constants: JSONDocument?
  let constantRecords: [Int]
  /// The depth of containers up to which `Evaluation` can't reach its own limit.
  let deepest: Int

  /// Copies the parts into its own memory.
  /// - Parameter height: the length of the longest chain of schemas for the same value.
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
    // `Evaluation` counts one level for each schema of a chain.
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
    // Only patterns contain references. The other elements are plain numbers.
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
    // The capacity is at least one, so that an address exists.
    return UnsafePointer(copy.baseAddress ?? UnsafeMutablePointer<T>.allocate(capacity: 1))
  }
}

/// The parts that lowering collects.
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

/// A demand on numbers that the fast comparisons can't express.
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
