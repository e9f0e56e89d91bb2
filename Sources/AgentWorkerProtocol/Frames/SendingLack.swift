/// A lack of the system because of which a socket takes nothing at the moment, for example of memory.
/// It passes, but no event reports when, so sending is tried again after a pause, for a limited time.
///
/// Rationale: the kernel counts the descriptors that a user has on the way, over all processes. If one
/// process sends many, another one can't send its own for a while. The other side hasn't ended.
public struct SendingLack: Sendable {
  /// The time after which sending isn't tried again.
  public static let patience = Duration.seconds(30)

  private var since: ContinuousClock.Instant?

  /// Creates the state of a socket that has taken all so far.
  public init() {}

  /// Whether the last attempt has failed.
  public var isPresent: Bool { since != nil }

  /// Records that an attempt has failed. Returns whether sending is tried again.
  public mutating func occurred(at now: ContinuousClock.Instant) -> Bool {
    let since = since ?? now
    self.since = since
    return now - since < Self.patience
  }

  /// Records that the socket has taken bytes.
  public mutating func passed() { since = nil }
}
