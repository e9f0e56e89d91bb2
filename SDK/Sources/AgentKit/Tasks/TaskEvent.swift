/// What has happened to a task, a bot or an assignment, with all of it.
public struct TaskEvent: Sendable, Hashable {
  /// What has happened: the type of the event.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A bot came.
    case botRegistered = "bot_registered"
    /// A bot stands otherwise than before.
    case botStatusChanged = "bot_status_changed"
    /// A bot that drained has nothing left.
    case botDrained = "bot_drained"
    /// A bot's heartbeats have stopped.
    case botOffline = "bot_offline"
    /// A bot went.
    case botUnregistered = "bot_unregistered"
    /// A task was created.
    case taskCreated = "task_created"
    /// A task waits to be executed.
    case taskQueued = "task_queued"
    /// A task was given to a bot.
    case taskAssigned = "task_assigned"
    /// A task is being done.
    case taskRunning = "task_running"
    /// A task was done.
    case taskSucceeded = "task_succeeded"
    /// A task has failed for good.
    case taskFailed = "task_failed"
    /// A task was tried as often as it may be.
    case taskDead = "task_dead"
    /// A task was given up.
    case taskCancelled = "task_cancelled"
    /// No bot can ever take a task.
    case taskUnassignable = "task_unassignable"
    /// A bot has done a task, or failed at it.
    case assignmentCompleted = "assignment_completed"
    /// A task was taken from a bot otherwise.
    case assignmentEnded = "assignment_ended"
  }

  /// What has happened.
  public let kind: Kind
  /// The task that it is about, as it is now.
  public let task: TaskRecord?
  /// The bot that it is about, as it is now.
  public let bot: BotRecord?
  /// The assignment that it is about, as it is now.
  public let assignment: AssignmentRecord?
  /// All of it.
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

/// What happens to tasks, bots and assignments, one after another.
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
