internal import AgentSystem

/// Slows down guessing. Repeated failures cause a wait, which doubles and expires in time.
///
/// Failures are counted by name and by network. A name that has signed in from a network before is
/// known there, and only its own failures delay it. Nobody can lock out another user by guessing at
/// the name or by sharing the network.
struct SignInThrottle {
  /// The keys that a sign-in is counted by.
  struct Attempt: Hashable {
    /// The user's name in lower case. Nil means that the text can't be a name.
    var name: String?
    /// The network of the client.
    var network: String
  }

  /// The decision on an attempt.
  enum Verdict {
    /// The attempt must wait this number of milliseconds.
    case wait(Int64)
    /// The password may be compared. The attempt counts as a failure until the ticket is settled.
    case mayTry(Ticket)
  }

  /// A counted attempt, with the keys that it was counted by.
  struct Ticket {
    fileprivate let attempt: Attempt
    fileprivate let keys: [String]
  }

  private struct Failures {
    var count: Int
    var last: Int64
  }

  /// The number of failures without a wait, because people mistype.
  static let free = 5
  /// The first wait, in milliseconds. It doubles with each failure.
  static let first: Int64 = 1000
  /// The longest wait, in milliseconds.
  static let longest: Int64 = 15 * 60_000
  /// The maximum number of counted keys, and of known pairs. The oldest are removed first.
  static let most = 10_000

  private var failures: [String: Failures] = [:]
  /// The time of the last sign-in with a name from a network.
  private var known: [Attempt: Int64] = [:]

  /// Begins an attempt. It counts as a failure until ``succeeded(_:now:)``.
  ///
  /// Rationale: it is counted before the password is compared. Otherwise all attempts that wait at
  /// the same time would be decided by the same count.
  mutating func begin(_ attempt: Attempt, now: Int64) -> Verdict {
    let keys = keys(of: attempt)
    if let wait = wait(for: keys, now: now) { return .wait(wait) }
    removeOldest(for: keys.count, now: now)
    for key in keys {
      failures[key] = Failures(count: (failures[key]?.count ?? 0) + 1, last: now)
    }
    return .mayTry(Ticket(attempt: attempt, keys: keys))
  }

  /// Removes the failures of a name, and this attempt's failure of its network. The other failures
  /// of the network stay, because it may try another name.
  mutating func succeeded(_ ticket: Ticket, now: Int64) {
    for key in ticket.keys {
      if key == Self.key(ofNetwork: ticket.attempt.network) {
        subtract(key)
      } else {
        failures[key] = nil
      }
    }
    guard ticket.attempt.name != nil else { return }
    known[ticket.attempt] = now
    if known.count > Self.most, let oldest = known.min(by: { $0.value < $1.value })?.key {
      known[oldest] = nil
    }
  }

  /// Removes the failure of an attempt whose password was not compared because memory was short.
  mutating func withdrew(_ ticket: Ticket) { ticket.keys.forEach { subtract($0) } }

  private mutating func subtract(_ key: String) {
    let left = (failures[key]?.count ?? 1) - 1
    if left > 0 { failures[key]?.count = left } else { failures[key] = nil }
  }

  /// Removes the known networks of a name. Called when a user is removed or gets another password.
  mutating func forget(_ name: String) {
    known = known.filter { $0.key.name != name }
  }

  private func wait(for keys: [String], now: Int64) -> Int64? {
    keys.compactMap { key -> Int64? in
      guard let failed = failures[key], failed.count >= Self.free else { return nil }
      // The shift is bounded, because a larger one would overflow. The longest wait is reached
      // before.
      let pause = min(Self.longest, Self.first << min(20, failed.count - Self.free))
      let left = failed.last.adding(pause).subtracting(now)
      return left > 0 ? left : nil
    }.max()
  }

  private mutating func removeOldest(for count: Int, now: Int64) {
    guard failures.count + count > Self.most else { return }
    // Failures whose longest wait is over have no effect any more, so they are removed first.
    failures = failures.filter { $0.value.last > now.subtracting(Self.longest) }
    while failures.count + count > Self.most,
      let oldest = failures.min(by: { $0.value.last < $1.value.last })?.key
    {
      failures[oldest] = nil
    }
  }

  /// Returns the keys that count against an attempt: only the pair of name and network if it is
  /// known. No name contains a line feed, so the keys can't be equal by accident.
  private func keys(of attempt: Attempt) -> [String] {
    if let name = attempt.name, known[attempt] != nil { return ["\(name)\n\(attempt.network)"] }
    return (attempt.name.map { [$0] } ?? []) + [Self.key(ofNetwork: attempt.network)]
  }

  private static func key(ofNetwork network: String) -> String { "\n\(network)" }
}
