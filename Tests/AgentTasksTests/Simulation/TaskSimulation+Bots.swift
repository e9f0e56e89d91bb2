import AgentJSON
import AgentStore
import AgentTasks
import AgentTasksTesting
import TestSupport

/// What bots do.
extension TaskSimulation {
  /// Whether tasks of a queue wait for bots.
  func isForBots(_ row: TaskRow) -> Bool { row.type == "bots" || isLeft }

  /// The types that bots do change.
  func leave() {
    isLeft.toggle()
    say(isLeft ? "bots do all" : "the host does its own")
    host.engine.leave(isLeft ? ["puppet"] : [], known: [])
  }

  func talkOfBots() {
    if dice.percent(35) || leases.isEmpty { return assign() }
    // Old leases are tried, too.
    let place = max(leases.count - 1 - dice.below(6), 0)
    let lease = leases[place]
    let words = "of attempt \(lease.attempt) of \(lease.task)"
    switch dice.below(10) {
    case 0...3: accept(lease)
    case 4...6: complete(lease)
    case 7:
      ask(.reject(lease), "rejection \(words)") {
        _ = try await $0.reject(lease, reason: "no", by: nil)
      }
    default:
      ask(.heartbeat(lease), "sign of life \(words)") {
        _ = try await $0.heartbeat(lease, progress: 1, silence: 2_000)
      }
    }
  }

  func accept(_ lease: TaskLease) {
    ask(.accept(lease), "attempt \(lease.attempt) of \(lease.task) is accepted") {
      _ = try await $0.accept(lease, silence: 2_000, by: nil)
    }
  }

  private func complete(_ lease: TaskLease) {
    let outcome: TaskOutcome =
      switch dice.below(10) {
      case 0...5: .succeeded(.string("\(lease.attempt)"))
      case 6...8: .failed(error: "no", isFinal: dice.percent(20))
      default: .snoozed(milliseconds: putOff())
      }
    complete(lease, outcome)
  }

  func complete(_ lease: TaskLease, _ outcome: TaskOutcome) {
    let words = "attempt \(lease.attempt) of \(lease.task) ends: \(outcome)"
    ask(.complete(lease, outcome), words) { _ = try await $0.complete(lease, outcome, by: nil) }
  }

  private func assign() {
    let isByHand = dice.percent(15)
    let row = anyTask {
      isByHand ? !$0.state.isEnded && $0.state != .running : $0.state == .queued && isForBots($0)
    }
    if let row { assign(row, isByHand: isByHand) }
  }

  func assign(_ row: TaskRow, isByHand: Bool) {
    let bot = Self.bots[dice.below(2)]
    let until = clock.now + 3_000
    let lease = TaskLease(task: row.id, attempt: row.attempt + 1, owner: bot)
    leases.append(lease)
    ask(.assign(row.id, bot: bot, isByHand: isByHand), "assign \(row.id) to \(bot)") { engine in
      let created = until - 3_000
      _ = try await engine.assign(
        row.id, to: bot, until: until, note: "", by: nil, isByHand: isByHand
      ) { task, transaction in
        try transaction.assignments.insert(
          AssignmentRow(
            task: task.id, attempt: task.attempt, bot: bot, strategy: "test", capability: nil,
            decision: [], waited: 0, created: created))
      }
    }
  }

  func release() {
    let bot = Self.bots[dice.below(2)]
    ask(.release(bot: bot), "\(bot) has gone") { try await $0.release(bot: bot, note: "gone") }
  }
}
