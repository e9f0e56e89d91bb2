/// The states of a host from its first moment to its end. Pure: ``HostLifecycle`` carries the
/// actions out.
enum HostStateMachine: Sendable, Hashable {
  /// The parts that must be up before the host counts as running.
  enum Part: String, Sendable, CaseIterable {
    /// Every enabled process has settled, or its time is over.
    case workers
    /// The management socket answers.
    case management
  }

  /// The database, the plans of processes and the tasks are opened. Settings can't be changed yet.
  case opening(awaits: Set<Part>)
  /// Settings can be changed, and processes start.
  case starting(awaits: Set<Part>)
  case running
  /// The end is announced: requests under way have their grace.
  case draining
  /// The parts of the host end.
  case stopping
  /// The host ends while something is under way that can't be ended, such as a migration of the
  /// database. The process doesn't wait for it.
  case abandoned

  enum Event: Sendable, Hashable, CaseIterable {
    case opened, workersAreUp, managementIsUp
    /// The host is to end once requests have had their grace.
    case stopAnnounced
    /// The host is to end at once.
    case stopRequested
    case graceIsOver
    /// What is under way can't be ended.
    case openingAbandoned
  }

  enum Action: Sendable, Hashable {
    /// Report to systemd that the host runs.
    case reportReady
    /// End all waits, and begin the grace of requests.
    case beginGrace
    /// Close requests that are still under way.
    case endGrace
    /// End the parts of the host.
    case stopParts
  }

  init() { self = .opening(awaits: Set(Part.allCases)) }

  /// The parts that aren't up yet. Empty once the host runs, and when it ends.
  var awaits: Set<Part> {
    switch self {
    case .opening(let parts), .starting(let parts): parts
    case .running, .draining, .stopping, .abandoned: []
    }
  }

  /// Whether every enabled process has settled and the host goes on. A host that ends, for example
  /// because its start has failed, isn't ready for anything.
  var isReady: Bool {
    switch self {
    case .opening(let parts), .starting(let parts): !parts.contains(.workers)
    case .running: true
    case .draining, .stopping, .abandoned: false
    }
  }

  /// Whether the settings can be changed.
  var takesChanges: Bool {
    switch self {
    case .starting, .running: true
    case .opening, .draining, .stopping, .abandoned: false
    }
  }

  /// Whether the host has begun to end.
  var isEnding: Bool {
    switch self {
    case .draining, .stopping, .abandoned: true
    case .opening, .starting, .running: false
    }
  }

  /// Takes an event. An event that means nothing in a state changes nothing: the end may be
  /// announced by several, and parts may come up while it goes on.
  mutating func apply(_ event: Event) -> [Action] {
    switch event {
    case .opened: opened()
    case .workersAreUp: isUp(.workers)
    case .managementIsUp: isUp(.management)
    case .stopAnnounced: end(as: .draining, [])
    case .stopRequested: end(as: .stopping, [.stopParts])
    case .graceIsOver: endGrace()
    case .openingAbandoned: abandon()
    }
  }

  private mutating func opened() -> [Action] {
    guard case .opening(let parts) = self else { return [] }
    self = .starting(awaits: parts)
    return runIfComplete()
  }

  private mutating func isUp(_ part: Part) -> [Action] {
    switch self {
    case .opening(let parts): self = .opening(awaits: parts.subtracting([part]))
    case .starting(let parts): self = .starting(awaits: parts.subtracting([part]))
    case .running, .draining, .stopping, .abandoned: return []
    }
    return runIfComplete()
  }

  private mutating func runIfComplete() -> [Action] {
    guard case .starting(let parts) = self, parts.isEmpty else { return [] }
    self = .running
    return [.reportReady]
  }

  private mutating func end(as next: Self, _ actions: [Action]) -> [Action] {
    switch self {
    case .opening, .starting, .running:
      self = next
      return [.beginGrace] + actions
    case .draining:
      // Announced before: only a request to end at once changes something.
      guard next == .stopping else { return [] }
      self = next
      return actions
    case .stopping, .abandoned: return []
    }
  }

  private mutating func endGrace() -> [Action] {
    switch self {
    case .opening, .starting, .running: return []
    case .draining: self = .stopping
    case .stopping, .abandoned: break
    }
    // In any state of the end: connections of requests that go on are closed now.
    return [.endGrace, .stopParts]
  }

  private mutating func abandon() -> [Action] {
    if isEnding { self = .abandoned }
    return []
  }
}
