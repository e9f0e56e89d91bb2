/// The policy for an event that finds a subscription's queue full.
public enum EventOverflow: String, Sendable {
  /// The oldest waiting event is lost.
  case dropOldest = "drop_oldest"
  /// The new event is lost.
  case dropNewest = "drop_newest"
  /// The event is queued anyway. Its publisher gets the answer when there is space again, at the
  /// latest after ``EventSubscription/publisherPatience``. From then until there is space, it is
  /// `dropOldest`.
  case block
  /// The subscription reads events that don't fit from the log when there is space. No stored event
  /// is lost. In a bus without a log it is `dropOldest`.
  case readLog = "read_log"
}
