internal import AgentSystem

/// The names that are being looked up or wait for a thread, and who waits for them.
///
/// Rationale: a look-up can't be cancelled. Its thread stays until the system has an answer, also
/// when nobody waits for it any more. Threads are counted until they return, and the names of one
/// domain, whose name server may be silent, get only a share of them.
struct LookupQueue {
  typealias Found = Result<[NetworkAddress], any Error>
  typealias Answer = FirstAnswer<Found>

  struct Limits: Sendable {
    /// Look-ups at the same time.
    var threads = 16
    /// Those of one domain.
    var domainThreads = 4
    /// Names that wait for a thread.
    var waiting = 256
  }

  struct Reply: Sendable {
    let answer: Answer
    let found: Found
  }

  /// What the caller does when it has released its lock.
  struct Actions: Sendable {
    /// Names that get a thread.
    var starts: [String] = []
    var replies: [Reply] = []
  }

  private struct Lookup {
    let domain: String
    var isRunning: Bool
    var waiters: [Int: Answer]
  }

  private let limits: Limits
  private var lookups: [String: Lookup] = [:]
  /// The names without a thread, in the order in which they came.
  private var waiting: [String] = []

  init(limits: Limits) { self.limits = limits }

  /// Adds a caller that waits for the addresses of a name.
  mutating func add(_ answer: Answer, number: Int, for name: String) -> Actions {
    // Many requests to one host need one thread.
    if lookups[name] != nil {
      lookups[name]?.waiters[number] = answer
      return Actions()
    }
    let domain = Self.domain(of: name)
    let starts = hasThread(for: domain)
    if !starts, waiting.count >= limits.waiting || isStuck(domain) {
      return Actions(replies: [Self.refusal(answer, of: name)])
    }
    lookups[name] = Lookup(domain: domain, isRunning: starts, waiters: [number: answer])
    if starts { return Actions(starts: [name]) }
    waiting.append(name)
    return Actions()
  }

  /// Removes a caller whose time is over.
  mutating func remove(_ number: Int, for name: String) -> Actions {
    guard var lookup = lookups[name], lookup.waiters.removeValue(forKey: number) != nil else {
      return Actions()
    }
    let isNeeded = lookup.isRunning || !lookup.waiters.isEmpty
    lookups[name] = isNeeded ? lookup : nil
    dropUnneeded()
    // The thread that is left may be the last of its domain on which anybody could hope.
    return lookup.waiters.isEmpty ? refuseStuck() : Actions()
  }

  /// Ends a look-up. Its thread is free.
  mutating func finish(_ name: String, with found: Found) -> Actions {
    var actions = Actions()
    if let lookup = lookups.removeValue(forKey: name) {
      actions.replies = lookup.waiters.values.map { Reply(answer: $0, found: found) }
    }
    for next in waiting {
      guard let domain = lookups[next]?.domain, hasThread(for: domain) else { continue }
      lookups[next]?.isRunning = true
      actions.starts.append(next)
    }
    dropUnneeded()
    return actions
  }

  private mutating func refuseStuck() -> Actions {
    var actions = Actions()
    for name in waiting {
      guard let lookup = lookups[name], isStuck(lookup.domain) else { continue }
      actions.replies += lookup.waiters.values.map { Self.refusal($0, of: name) }
      lookups[name] = nil
    }
    dropUnneeded()
    return actions
  }

  /// Keeps the names in the queue that still wait for a thread.
  private mutating func dropUnneeded() {
    let left = waiting.filter { lookups[$0]?.isRunning == false }
    waiting = left
  }

  private func hasThread(for domain: String) -> Bool {
    let running = lookups.values.filter(\.isRunning)
    return running.count < limits.threads
      && running.count(where: { $0.domain == domain }) < limits.domainThreads
  }

  /// Whether all threads that a name of the domain could get are left by their callers: another
  /// caller would only wait for its own end.
  private func isStuck(_ domain: String) -> Bool {
    let running = lookups.values.filter(\.isRunning)
    let same = running.filter { $0.domain == domain }
    if same.count >= limits.domainThreads { return same.allSatisfy(\.waiters.isEmpty) }
    return running.count >= limits.threads && running.allSatisfy(\.waiters.isEmpty)
  }

  private static func refusal(_ answer: Answer, of name: String) -> Reply {
    let failure = DeliveryFailure(
      "\(name) isn't looked up: too many look-ups wait for name servers that don't answer. Check "
        + "the name server, or use an address.")
    return Reply(answer: answer, found: .failure(failure))
  }

  /// The last two labels. Names of one label share the search domains of the machine.
  private static func domain(of name: String) -> String {
    let labels = name.split(separator: ".")
    return labels.count < 2 ? "" : labels.suffix(2).joined(separator: ".")
  }
}
