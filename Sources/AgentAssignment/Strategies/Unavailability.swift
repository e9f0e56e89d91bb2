/// Why nobody can take a task now, counted over those who have the capability.
public struct Unavailability: Sendable, Hashable, CustomStringConvertible {
  /// Bots whose capabilities cover the task's type.
  public internal(set) var capable = 0
  /// Of these: offline, draining, in error, or busy by their own word.
  public internal(set) var unavailable = 0
  /// Of these: without room, as a whole or for the capability.
  public internal(set) var atCapacity = 0
  /// Of these: have rejected it or let an offer pass.
  public internal(set) var excluded = 0
  /// Of these: not of the type, the name or the capability that the task asks for.
  public internal(set) var unsuited = 0

  /// In words.
  public var description: String {
    guard capable > 0 else { return "No bot has a capability for this type of task." }
    let parts = [
      (unavailable, "not available"), (atCapacity, "at capacity"),
      (excluded, "excluded, since it was rejected or an offer expired"),
      (unsuited, "not what the task asks for"),
    ]
    let words = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    return "No bot is free: of \(capable) with the capability, \(words)."
  }
}
