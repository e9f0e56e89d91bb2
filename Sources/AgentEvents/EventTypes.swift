/// The types that the log has, as far as it matters whether there are too many.
///
/// Rationale: what is looked through in the order of time costs something for each type, and whoever
/// publishes chooses the types.
struct EventTypes {
  /// How many types a log keeps.
  static let maxCount = 10_000
  /// Types that are always taken: whoever fills the log with others must not silence alerts.
  private static let reserved: Set<String> = ["alert", "__message", "__annotations"]

  /// Nil in a bus without a log.
  private var names: Set<String>?

  /// Takes over what the log has now.
  mutating func refresh(_ names: some Sequence<String>) { self.names = Set(names) }

  /// Whether there may be events of a type, which counts from now on.
  mutating func admits(_ type: String) -> Bool {
    guard let names, !names.contains(type) else { return true }
    guard names.count < Self.maxCount || Self.reserved.contains(type) else { return false }
    self.names?.insert(type)
    return true
  }
}
