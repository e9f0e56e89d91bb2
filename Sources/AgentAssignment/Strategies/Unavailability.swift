/// Why no bot can take a task now. The numbers count the bots that have the capability.
public struct Unavailability: Sendable, Hashable, CustomStringConvertible {
  /// Bots whose capabilities cover the task's type.
  public internal(set) var capable = 0
  /// Capable bots that are offline, draining, in error, or busy by their own word.
  public internal(set) var unavailable = 0
  /// Capable bots without a free slot, as a whole or for the capability.
  public internal(set) var atCapacity = 0
  /// Capable bots that have rejected the task or let an offer expire.
  public internal(set) var excluded = 0
  /// Capable bots that aren't the bot, the type or the capability that the task asks for.
  public internal(set) var unsuited = 0

  /// The reason in words.
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
