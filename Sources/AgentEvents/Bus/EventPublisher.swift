internal import Synchronization

/// The origin of events and of durable consumers: the host or others.
///
/// Rationale: rules and people rely on the host's reports of processes, tasks, schedules and bots.
/// Its types, its name as a `source` and its consumers are therefore reserved. This code refuses
/// them to all others, whatever interface they use.
public enum EventPublisher: Sendable, Hashable {
  /// The host itself.
  case host
  /// All others: modules, the API, the port for events.
  case guest

  /// The `source` of the host's events.
  public static let hostSource = "agent"
  /// The prefix of the names of the host's consumers.
  static let hostConsumers = "agent/"

  /// The types of the host's events. A new type is added here first, so that no other publisher can
  /// use it.
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

  /// Refuses an event of another publisher that looks like one of the host's.
  /// - Parameter forwarded: the types that the host publishes its log under.
  /// - Throws: `invalid`, with a sentence for the publisher.
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

  /// Refuses a consumer of the host to all others.
  /// - Throws: `reserved`.
  func check(consumer name: String) throws(EventError) {
    guard self == .guest, name.hasPrefix(Self.hostConsumers) else { return }
    throw EventError(
      .reserved,
      message: "The consumer \"\(name)\" belongs to the agent, and notifications depend "
        + "on it. Change the settings that use it.")
  }
}

extension EventBus {
  /// Reserves a type for the host's log. Each reservation is released separately, because at a
  /// reload the next one begins before the former ends.
  public func reserve(type: String) { forwarded.withLock { $0[type, default: 0] += 1 } }

  /// Ends a reservation. Without further reservations all publishers may use the type.
  public func release(type: String) {
    forwarded.withLock { forwarded in
      let left = (forwarded[type] ?? 0) - 1
      forwarded[type] = left > 0 ? left : nil
    }
  }
}
