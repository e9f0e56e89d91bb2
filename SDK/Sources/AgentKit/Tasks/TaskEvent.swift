/// An event of a task, a bot or an assignment, with its current record.
public struct TaskEvent: Sendable, Hashable {
  /// The type of the event.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A bot was registered.
    case botRegistered = "bot_registered"
    /// A bot's status changed.
    case botStatusChanged = "bot_status_changed"
    /// A draining bot has no tasks left.
    case botDrained = "bot_drained"
    /// A bot's heartbeats have stopped.
    case botOffline = "bot_offline"
    /// A bot was unregistered.
    case botUnregistered = "bot_unregistered"
    /// A task was created.
    case taskCreated = "task_created"
    /// A task waits to be executed.
    case taskQueued = "task_queued"
    /// A task was assigned to a bot.
    case taskAssigned = "task_assigned"
    /// A task is running.
    case taskRunning = "task_running"
    /// A task succeeded.
    case taskSucceeded = "task_succeeded"
    /// A task failed and isn't tried again.
    case taskFailed = "task_failed"
    /// A task failed and has used up its attempts.
    case taskDead = "task_dead"
    /// A task was cancelled.
    case taskCancelled = "task_cancelled"
    /// No bot can ever take a task.
    case taskUnassignable = "task_unassignable"
    /// A bot reported success or failure of a task.
    case assignmentCompleted = "assignment_completed"
    /// An assignment ended in another way.
    case assignmentEnded = "assignment_ended"
  }

  /// The type of the event.
  public let kind: Kind
  /// The task that the event is about, with its current fields.
  public let task: TaskRecord?
  /// The bot that the event is about, with its current fields.
  public let bot: BotRecord?
  /// The assignment that the event is about, with its current fields.
  public let assignment: AssignmentRecord?
  /// The whole event.
  public let event: Event

  /// Reads an event; nil when it is about something else.
  public init?(_ event: Event) {
    guard let kind = Kind(rawValue: event.type) else { return nil }
    func member(_ name: String) -> JSONValue? {
      event.fields[name].flatMap { $0.object == nil ? nil : $0 }
    }
    self.kind = kind
    self.event = event
    task = member("task").map(TaskRecord.init(_:))
    bot = member("bot").map(BotRecord.init(_:))
    assignment = member("assignment").map(AssignmentRecord.init(_:))
  }
}

/// Events of tasks, bots and assignments in order.
public struct TaskEvents: AsyncSequence, Sendable {
  /// One event.
  public typealias Element = TaskEvent

  let base: EventSubscription

  /// Begins the loop.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(base: base.makeAsyncIterator())
  }

  /// Takes events out of their batches.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var base: EventSubscription.AsyncIterator
    var waiting: ArraySlice<TaskEvent> = []

    /// The next event; throws as a subscription does.
    public mutating func next() async throws -> TaskEvent? {
      while waiting.isEmpty {
        guard let batch = try await base.next() else { return nil }
        waiting = batch.events.compactMap(TaskEvent.init(_:))[...]
      }
      return waiting.removeFirst()
    }
  }
}
