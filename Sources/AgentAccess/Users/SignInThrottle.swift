internal import AgentSystem

/// Slows down guessing. Repeated failures cause a wait, which doubles and expires in time.
///
/// Failures are counted by name and by network. A name that has signed in from a network before is
/// known there, and only its own failures delay it. Nobody can lock out another user by guessing at
/// the name or by sharing the network.
struct SignInThrottle {
  /// What a sign-in is counted by.
  struct Attempt: Hashable {
    /// The user's name in small letters; nil of what can't be one.
    var name: String?
    /// Where it comes from.
    var network: String
  }

  /// Whether an attempt may be made.
  enum Verdict {
    /// The attempt must wait this number of milliseconds.
    case wait(Int64)
    /// It may, and counts as a failure until somebody says otherwise of this ticket.
    case mayTry(Ticket)
  }

  /// An attempt that was counted, and by what.
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
  /// The first wait, in milliseconds; it doubles.
  static let first: Int64 = 1000
  /// The longest wait.
  static let longest: Int64 = 15 * 60_000
  /// What is kept, of failures and of networks; beyond it the oldest go.
  static let most = 10_000

  private var failures: [String: Failures] = [:]
  /// When somebody last signed in with a name from a network.
  private var known: [Attempt: Int64] = [:]

  /// Begins an attempt, which counts as one that fails until ``succeeded(_:now:)``.
  ///
  /// Rationale: counted before the password is compared. Otherwise all attempts that wait at the
  /// same time would pass one and the same look at the count.
  mutating func begin(_ attempt: Attempt, now: Int64) -> Verdict {
    let keys = keys(of: attempt)
    if let wait = wait(for: keys, now: now) { return .wait(wait) }
    makeRoom(for: keys.count, now: now)
    for key in keys {
      failures[key] = Failures(count: (failures[key]?.count ?? 0) + 1, last: now)
    }
    return .mayTry(Ticket(attempt: attempt, keys: keys))
  }

  /// Forgives a name, and takes back what the attempt has counted against its network, which isn't
  /// forgiven: it may try another name.
  mutating func succeeded(_ ticket: Ticket, now: Int64) {
    for key in ticket.keys {
      if key == Self.key(ofNetwork: ticket.attempt.network) {
        takeBack(key)
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

  /// Takes back an attempt whose password was not compared, because memory was short.
  mutating func withdrew(_ ticket: Ticket) { ticket.keys.forEach { takeBack($0) } }

  private mutating func takeBack(_ key: String) {
    let left = (failures[key]?.count ?? 1) - 1
    if left > 0 { failures[key]?.count = left } else { failures[key] = nil }
  }

  /// A user is removed, or has another password: nobody is known by the name any more.
  mutating func forget(_ name: String) {
    known = known.filter { $0.key.name != name }
  }

  private func wait(for keys: [String], now: Int64) -> Int64? {
    keys.compactMap { key -> Int64? in
      guard let failed = failures[key], failed.count >= Self.free else { return nil }
      let pause = min(Self.longest, Self.first << min(20, failed.count - Self.free))
      let left = failed.last.adding(pause).subtracting(now)
      return left > 0 ? left : nil
    }.max()
  }

  private mutating func makeRoom(for count: Int, now: Int64) {
    guard failures.count + count > Self.most else { return }
    failures = failures.filter { $0.value.last > now.subtracting(Self.longest) }
    while failures.count + count > Self.most,
      let oldest = failures.min(by: { $0.value.last < $1.value.last })?.key
    {
      failures[oldest] = nil
    }
  }

  /// What counts against an attempt: the pair alone where it is known. No name holds a line feed.
  private func keys(of attempt: Attempt) -> [String] {
    if let name = attempt.name, known[attempt] != nil { return ["\(name)\n\(attempt.network)"] }
    return (attempt.name.map { [$0] } ?? []) + [Self.key(ofNetwork: attempt.network)]
  }

  private static func key(ofNetwork network: String) -> String { "\n\(network)" }
}
