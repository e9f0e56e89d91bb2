internal import Synchronization

/// A pattern without back-references: simulated at first, by a table when it turns out to be used.
///
/// A table costs more than a few short texts are worth. It is built once, by whichever thread comes
/// first; the others go on simulating meanwhile, or build one in vain.
final class PatternAutomaton: Sendable {
  /// The least number of bytes that are simulated before a table is built. A table costs about as
  /// much.
  private static let leastPatience = 256

  private let program: PatternProgram
  /// Retained once; read without counting references, which threads would fight over.
  private let table = Atomic<Unmanaged<PatternTable>?>(nil)
  /// Bytes that may still be simulated before a table is tried; below zero there is none.
  private let patience: Atomic<Int>

  init(_ tree: PatternTree) throws(PatternError) {
    program = try PatternProgram(tree)
    patience = Atomic(
      program.looks.isEmpty ? Self.leastPatience + program.instructions.count : Int.max)
  }

  deinit {
    table.load(ordering: .acquiring)?.release()
  }

  func matches(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    // Nothing replaces a table, and the automaton lives as long as this call.
    guard let table = table.load(ordering: .acquiring) else { return matchesSlowly(bytes) }
    return table._withUnsafeGuaranteedRef { $0.matches(bytes) }
  }

  private func matchesSlowly(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    if losesPatience(bytes.count), let built = PatternTable(program) {
      let isMatch = built.matches(bytes)
      let new = Unmanaged.passRetained(built)
      if !table.compareExchange(expected: nil, desired: new, ordering: .acquiringAndReleasing)
        .exchanged
      {
        new.release()
      }
      return isMatch
    }
    var simulation = PatternSimulation(program, UTF8Text.scalars(bytes))
    return simulation.search()
  }

  private func losesPatience(_ count: Int) -> Bool {
    let left = patience.load(ordering: .relaxed)
    guard left >= 0, left < Int.max else { return false }
    patience.store(left > count ? left - count - 1 : -1, ordering: .relaxed)
    return left <= count
  }
}
