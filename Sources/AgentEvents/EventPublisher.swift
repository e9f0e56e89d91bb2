internal import Synchronization

/// Who publishes events, or holds a durable consumer.
///
/// What the host tells of processes, tasks, schedules and bots is what rules, pagers and people go by.
/// So its types, its name as a `source` and its consumers are its own; everybody else is refused them
/// here, by whatever way they come.
public enum EventPublisher: Sendable, Hashable {
  /// The host itself.
  case host
  /// Everybody else: modules, the API, the port for events.
  case guest

  /// What the host's events have as their `source`.
  public static let hostSource = "agent"
  /// How the names of the host's consumers begin.
  static let hostConsumers = "agent/"

  /// The types of the host's events. A new one is added here first: nobody else can publish it then.
  public static let hostTypes: Set<String> = [
    "process_failed", "process_recovered",
    "task_created", "task_waiting", "task_scheduled", "task_queued", "task_assigned",
    "task_running", "task_succeeded", "task_failed", "task_cancelled", "task_dead",
    "task_removed", "task_escalated", "task_unassignable",
    "schedule_created", "schedule_changed", "schedule_deleted", "schedule_fired",
    "schedule_skipped",
    "bot_registered", "bot_status_changed", "bot_drained", "bot_unregistered", "bot_offline",
    "pool_resized", "assignment_completed", "assignment_ended",
  ]

  /// - Parameter forwarded: types under which the host publishes its log.
  /// - Throws: `invalid` where an event looks like one of the host's and isn't.
  func check(type: String, source: String, forwarded: [String: Int]) throws(EventError) {
    if self == .host { return }
    if Self.hostTypes.contains(type) || forwarded[type] != nil {
      throw EventError(
        message: "\"\(type)\" is a type of the agent's own events. Choose another type.")
    }
    if source == Self.hostSource {
      throw EventError(
        message: "\"\(source)\" is the source of the agent's own events. Choose another source, or "
          + "leave it out.")
    }
  }

  /// - Throws: `reserved` where a consumer is the host's.
  func check(consumer name: String) throws(EventError) {
    guard self == .guest, name.hasPrefix(Self.hostConsumers) else { return }
    throw EventError(
      .reserved,
      message: "The consumer \"\(name)\" belongs to the agent, and notifications depend "
        + "on it. Change the settings that use it.")
  }
}

extension EventBus {
  /// From now on a type is the host's own, too: the one under which it publishes its log. As often as
  /// it is reserved it has to be released: at a reload the next one comes before the former goes.
  public func reserve(type: String) { forwarded.withLock { $0[type, default: 0] += 1 } }

  /// A type is everybody's again, unless somebody else has reserved it too.
  public func release(type: String) {
    forwarded.withLock { forwarded in
      let left = (forwarded[type] ?? 0) - 1
      forwarded[type] = left > 0 ? left : nil
    }
  }
}
