internal import AgentJSON
public import AgentStore
internal import AgentSystem
internal import Synchronization

/// Explains to people why a task doesn't run.
extension TaskEngine {
  /// Returns the reasons why a task hasn't succeeded, the most important first. Empty for a task
  /// that has succeeded. The dispatcher adds the reasons that concern bots.
  public func explain(_ task: TaskRow) -> [String] {
    let moment = now()
    switch task.state {
    case .waiting:
      return ["It waits to be executed: \"agent task execute \(task.id)\" queues it."]
    case .scheduled:
      let wait = max(0, (task.runAt ?? moment).subtracting(moment))
      let cause = task.failures > 0 ? "It failed and is retried" : "It becomes due"
      return ["\(cause) in \(Self.words(wait))."]
    case .queued: return whyQueued(task, moment)
    case .assigned:
      let rest = max(0, (task.wake ?? moment).subtracting(moment))
      return ["\(task.bot ?? "A bot") has it and must start within \(Self.words(rest))."]
    case .running:
      let time = Self.words(max(0, moment.subtracting(task.started ?? moment)))
      let stop = task.cancelling == nil ? "" : " It was asked to stop."
      return ["\(task.owner ?? "Somebody") has been running it for \(time).\(stop)"]
    case .succeeded: return []
    case .failed, .cancelled, .dead:
      let error = TaskReport(task).result?["error"]?.string ?? ""
      return ["It is \(task.state.rawValue): \(error)"]
    }
  }

  private func whyQueued(_ task: TaskRow, _ moment: Int64) -> [String] {
    // Under one lock, so that all reasons describe the same state.
    state.withLock { state in
      let queueKey = QueueKey(name: task.queueKey)
      var reasons: [String] = []
      if let bot = queueKey.bot { reasons.append("It waits for the bot \(bot) only.") }
      if let obstacle = state.queueLimits.obstacle(task.queueKey, now: moment) {
        reasons.append(obstacle)
      }
      if state.isOurs(queueKey) {
        if state.attempts.count >= state.plan.slots {
          reasons.append(
            "The host runs \(state.attempts.count) tasks, which is its limit "
              + "(tasks.slots).")
        }
      } else if queueKey.bot == nil {
        reasons.append("Bots execute tasks of the type \(task.type).")
      }
      if reasons.isEmpty { reasons.append("It starts in a moment.") }
      return reasons
    }
  }

  /// Returns a duration as text for people.
  static func words(_ milliseconds: Int64) -> String {
    switch milliseconds {
    case ..<1_000: "\(milliseconds) ms"
    case ..<120_000: "\(milliseconds / 1_000) s"
    case ..<7_200_000: "\(milliseconds / 60_000) min"
    case ..<172_800_000: "\(milliseconds / 3_600_000) h"
    default: "\(milliseconds / 86_400_000) days"
    }
  }
}
