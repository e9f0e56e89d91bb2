internal import Synchronization

/// The origin of events and of durable consumers: the host or others.
///
/// Rationale: rules and people rely on what the host reports of processes, tasks, schedules and
/// bots. Its types, its name as a `source` and its consumers are therefore its own. Everybody else
/// is refused them here, whichever way they come.
public enum EventPublisher: Sendable, Hashable {
  /// The host itself.
  case host
  /// Everybody else: modules, the API, the port for events.
  case guest

  /// The `source` of the host's events.
  public static let hostSource = "agent"
  /// The prefix of the names of the host's consumers.
  static let hostConsumers = "agent/"

  /// The types of the host's events. A new type is added here first, so that nobody else can
  /// publish it.
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

  /// Refuses an event that looks like one of the host's and isn't.
  /// - Parameter forwarded: the types under which the host publishes its log.
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

  /// Refuses a consumer of the host to everybody else.
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
  /// Makes a type the host's own: the one under which it publishes its log. It has to be released
  /// as often as it was reserved, because at a reload the next one comes before the former goes.
  public func reserve(type: String) { forwarded.withLock { $0[type, default: 0] += 1 } }

  /// Ends a reservation. The type is everybody's again when no other reservation is left.
  public func release(type: String) {
    forwarded.withLock { forwarded in
      let left = (forwarded[type] ?? 0) - 1
      forwarded[type] = left > 0 ? left : nil
    }
  }
}
