/// The types of the log, which are limited in number.
///
/// Rationale: a read in the order of time costs something for each type, and publishers choose the
/// types.
struct EventTypes {
  /// The most types of a log.
  static let maxCount = 10_000
  /// Types that are always taken: a publisher that fills the log with others must not silence
  /// alerts.
  private static let reserved: Set<String> = ["alert", "__message", "__annotations"]

  /// Nil in a bus without a log.
  private var names: Set<String>?

  /// Takes over the types that the log has now. Called when the log is opened and after each
  /// removal.
  mutating func refresh(_ names: some Sequence<String>) { self.names = Set(names) }

  /// Whether events of a type are taken. A new type counts from now on.
  mutating func admits(_ type: String) -> Bool {
    guard let names, !names.contains(type) else { return true }
    guard names.count < Self.maxCount || Self.reserved.contains(type) else { return false }
    self.names?.insert(type)
    return true
  }
}
