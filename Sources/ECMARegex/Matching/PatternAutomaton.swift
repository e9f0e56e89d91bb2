internal import Synchronization

/// A pattern without back-references. It is simulated at first. If it is used more, a table
/// replaces the simulation.
///
/// A table costs more than the simulation of a few short texts. The first thread that needs it
/// builds it. Meanwhile the other threads simulate, or build a table that is dropped.
final class PatternAutomaton: Sendable {
  /// The smallest number of simulated bytes before a table is built. A table costs about as much.
  private static let leastPatience = 256

  private let program: PatternProgram
  /// Retained once and read without reference counting, which would slow down threads that share
  /// it.
  private let table = Atomic<Unmanaged<PatternTable>?>(nil)
  /// The number of bytes that may still be simulated before a table is built. Below zero, there is
  /// no table.
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
    // A table is never replaced, and the automaton lives until this call ends.
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
