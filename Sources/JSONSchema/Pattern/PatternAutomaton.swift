internal import Synchronization

/// A pattern without back-references: simulated at first, by a table when it turns out to be used.
///
/// A table costs more than a few short texts are worth. It is built once, by whichever thread comes
/// first; the others go on simulating meanwhile, or build one in vain.
final class PatternAutomaton: Sendable {
  private let program: PatternProgram
  private let table = AtomicLazyReference<PatternTable>()
  /// Scalars that may still be simulated before a table is tried; below zero there is none.
  private let patience: Atomic<Int>

  init(_ tree: PatternTree) throws(PatternError) {
    program = try PatternProgram(tree)
    patience = Atomic(program.looks.isEmpty ? program.instructions.count : Int.max)
  }

  func matches(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    if let table = table.load() { return table.matches(bytes) }
    let left = patience.load(ordering: .relaxed)
    if left >= 0, left < Int.max {
      if left <= bytes.count {
        patience.store(-1, ordering: .relaxed)
        if let built = PatternTable(program) { return table.storeIfNil(built).matches(bytes) }
      } else {
        patience.store(left - bytes.count - 1, ordering: .relaxed)
      }
    }
    var simulation = PatternSimulation(program, UTF8Text.scalars(bytes))
    return simulation.search()
  }
}
