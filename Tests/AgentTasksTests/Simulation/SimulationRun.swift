import AgentStore
import Glibc
import TestSupport

/// Lives of the engine on one database, one after the other.
final class SimulationRun {
  /// A life in which a rule was broken, and how.
  struct Failure: CustomStringConvertible {
    let seed: UInt64
    let words: String
    let steps: Int
    let trace: [String]

    var description: String {
      "seed \(seed): \(words)\nwith \(steps) steps:\n" + trace.joined(separator: "\n")
    }
  }

  static let steps = 40

  private let database: SQLiteStore

  init(_ database: SQLiteStore) { self.database = database }

  /// A folder for databases, in memory where there is one.
  static func folder() -> String {
    for place in ["/dev/shm", "/tmp"] {
      var template = Array("\(place)/simulation-XXXXXX".utf8CString)
      if mkdtemp(&template) != nil {
        return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
      }
    }
    return "."
  }

  /// - Returns: what was wrong with the life of a seed, made as short as it can be.
  func failure(of seed: UInt64) -> Failure? {
    var dice = SeededGenerator(seed: seed ^ 0xA5A5)
    var steps = (0..<Self.steps).map { _ in dice.next() }
    guard var failure = live(seed, steps) else { return nil }
    // Parts of it are left out as long as something is still wrong.
    var size = steps.count / 2
    while size > 0 {
      var place = 0
      while place < steps.count {
        var shorter = steps
        shorter.removeSubrange(place..<min(place + size, steps.count))
        if let other = live(seed, shorter) {
          (steps, failure) = (shorter, other)
        } else {
          place += size
        }
      }
      size /= 2
    }
    return failure
  }

  private func live(_ seed: UInt64, _ steps: [UInt64]) -> Failure? {
    var simulation: TaskSimulation?
    defer { clear(simulation) }
    do {
      let machine = try TaskSimulation(seed: seed, database)
      simulation = machine
      for step in steps { try machine.step(step) }
      try machine.rest()
      try machine.finish()
      return nil
    } catch {
      return Failure(
        seed: seed, words: "\(error)", steps: steps.count, trace: simulation?.trace ?? [])
    }
  }

  /// Ends what goes on, and empties the database.
  private func clear(_ simulation: TaskSimulation?) {
    simulation?.abandon()
    let store = SteppedStore(database)
    try? store.now { transaction in
      // The next life begins at the same moment.
      try transaction.tasks.put(ClockMark(boot: "", wall: 1_700_000_000_000, steady: 0))
      for row in try transaction.tasks.tasks(TaskSelection(limit: .max)) {
        try transaction.tasks.remove(row.id)
      }
      for var row in try transaction.assignments.openAssignments() {
        (row.state, row.ended) = (.withdrawn, 0)
        try transaction.assignments.update(row)
      }
    }
  }
}
