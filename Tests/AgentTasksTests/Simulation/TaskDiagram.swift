import AgentStore
import AgentTasks

/// Which state may follow which: what docs/tasks.md draws.
let documentedTransitions: [TaskState: Set<TaskState>] = [
  .waiting: [.scheduled, .queued, .cancelled],
  .scheduled: [.scheduled, .queued, .cancelled, .dead],
  .queued: [.queued, .scheduled, .assigned, .running, .cancelled, .dead],
  .assigned: [.queued, .scheduled, .running, .succeeded, .failed, .cancelled, .dead],
  .running: [.queued, .scheduled, .succeeded, .failed, .cancelled, .dead],
  .succeeded: [.queued, .scheduled],
  .failed: [.queued, .scheduled],
  .cancelled: [.queued, .scheduled],
  .dead: [.queued, .scheduled],
]
