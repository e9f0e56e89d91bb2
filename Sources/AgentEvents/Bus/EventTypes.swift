/// The types of the log. Their number is limited.
///
/// Rationale: a read in the order of time has a cost for each type, and publishers choose the
/// types.
struct EventTypes {
  /// The maximum number of types.
  static let maxCount = 10_000
  /// Types that are always accepted. A publisher that fills the log with other types must not
  /// suppress alerts.
  private static let reserved: Set<String> = ["alert", "__message", "__annotations"]

  /// Nil in a bus without a log.
  private var names: Set<String>?

  /// Takes the present types of the log. Called when the log is opened and after each removal.
  mutating func refresh(_ names: some Sequence<String>) { self.names = Set(names) }

  /// Returns whether events of a type are accepted. A new type counts from now on.
  mutating func admits(_ type: String) -> Bool {
    guard let names, !names.contains(type) else { return true }
    guard names.count < Self.maxCount || Self.reserved.contains(type) else { return false }
    self.names?.insert(type)
    return true
  }
}
