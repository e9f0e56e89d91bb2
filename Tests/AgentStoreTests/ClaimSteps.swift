import AgentStore
import TestSupport

/// A change of tasks that finds its tasks by what is stored, so that two stores do the same.
struct ClaimStep: CustomStringConvertible {
  enum Kind: CaseIterable {
    case insert, begin, end, fail, cancel, requeue, escalate, move, remove
  }

  let kind: Kind
  let number: Int
  let now: Int64

  var description: String { "\(kind) \(number)" }

  /// - Parameter asSet: whether beginnings and ends are written by the calls for them, or as
  ///   changes of rows.
  func run(_ tasks: any TaskStorage, asSet: Bool) throws {
    let all = try tasks.tasks(TaskSelection(isDescending: false, limit: .max))
    let (queued, running) = (
      all.filter { $0.state == .queued }, all.filter { $0.state == .running }
    )
    switch kind {
    case .insert:
      _ = try tasks.insert(ClaimSteps.queued("task \(number)", number, at: now))
    case .begin:
      try write(queued.prefix(3).map { TaskStep(from: $0, to: $0.begun(at: now)) }, asSet) {
        try tasks.begin($0)
      } each: {
        try tasks.update($0.task, from: $0.former)
      }
    case .end:
      try write(running.prefix(2).map { TaskStep(from: $0, to: $0.ended(at: now)) }, asSet) {
        try tasks.end($0)
      } each: {
        try tasks.update($0.task, from: $0.former)
      }
    case .fail:
      try write(running.suffix(1).map { TaskStep(from: $0, to: $0.retried(at: now)) }, asSet) {
        try tasks.end($0)
      } each: {
        try tasks.update($0.task, from: $0.former)
      }
    case .cancel:
      guard let row = chosen(running) else { return }
      var cancelling = row
      (cancelling.version, cancelling.cancelling) = (row.version + 1, now)
      _ = try tasks.update(cancelling, from: row)
    case .requeue:
      guard let row = chosen(running) else { return }
      _ = try tasks.update(row.requeued(at: now), from: row)
    case .escalate:
      guard let row = chosen(queued + running) else { return }
      try tasks.escalate(row, at: now + 50)
    case .move: try tasks.moveTasks(by: Int64(number % 7) - 3)
    case .remove:
      guard let row = chosen(all) else { return }
      try tasks.remove(row.id)
    }
  }

  private func chosen(_ rows: [TaskRow]) -> TaskRow? {
    rows.isEmpty ? nil : rows[number % rows.count]
  }

  private func write(
    _ steps: [TaskStep], _ asSet: Bool, _ set: ([TaskStep]) throws -> [Bool],
    each: (TaskStep) throws -> Bool
  ) throws {
    let stored = asSet ? try set(steps) : try steps.map(each)
    precondition(stored.allSatisfy(\.self))
  }
}

/// Changes of tasks that a seed repeats.
struct ClaimSteps {
  private var random: SeededGenerator
  private var now: Int64 = 100

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func next() -> ClaimStep {
    // After a second, the store may write claims into rows.
    now += random.percent(10) ? 1_500 : 1
    let likely: [ClaimStep.Kind] = [.insert, .insert, .insert, .begin, .begin, .end]
    let kinds = likely + ClaimStep.Kind.allCases
    let kind = kinds.randomElement(using: &random) ?? .insert
    return ClaimStep(kind: kind, number: Int.random(in: 0..<1_000, using: &random), now: now)
  }

  /// A queued task; the number decides about its type, its queue and its times.
  static func queued(_ name: String, _ number: Int = 0, at now: Int64 = 1) -> TaskRow {
    var row = TaskRow(
      name: name, type: number % 3 == 0 ? "u" : "t", state: .queued, priority: Int64(number % 5),
      queueKey: number % 2 == 0 ? "p" : "q", rank: Int64(number % 11), created: now, updated: now,
      definition: Array("{}".utf8), history: Array("{\"at\":\(now)}\n".utf8))
    row.due = number % 4 == 0 ? Int64(number) : nil
    row.wake = number % 9 == 0 ? Int64(number) : nil
    row.hostEnds = number % 6 == 0 ? 1 : 0
    row.uniqueKey = number % 8 == 0 ? name + "\(now)" : nil
    return row
  }
}

extension TaskRow {
  /// The next version, with another line of history.
  private func next(_ state: State, at now: Int64) -> TaskRow {
    var row = self
    (row.version, row.state, row.updated) = (version + 1, state, now)
    row.history += Array("{\"at\":\(now),\"state\":\"\(state.rawValue)\"}\n".utf8)
    return row
  }

  func begun(at now: Int64) -> TaskRow {
    var row = next(.running, at: now)
    (row.attempt, row.owner, row.started, row.wake) = (attempt + 1, "host:a", now, nil)
    return row
  }

  func ended(at now: Int64) -> TaskRow {
    var row = next(.succeeded, at: now)
    (row.owner, row.finished, row.hostEnds, row.cancelling) = (nil, now, 0, nil)
    (row.escalateAt, row.result) = (nil, Array("{}".utf8))
    return row
  }

  func retried(at now: Int64) -> TaskRow {
    var row = next(.scheduled, at: now)
    (row.owner, row.runAt, row.wake, row.failures) = (nil, now + 9, now + 9, failures + 1)
    return row
  }

  func requeued(at now: Int64) -> TaskRow {
    var row = next(.queued, at: now)
    (row.owner, row.lost) = (nil, lost + 1)
    return row
  }

  func cancelled(at now: Int64) -> TaskRow {
    var row = next(.cancelled, at: now)
    (row.finished, row.owner) = (now, nil)
    return row
  }
}
