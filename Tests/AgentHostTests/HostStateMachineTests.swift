import Testing

@testable import AgentHost

@Suite struct HostStateMachineTests {
  typealias Machine = HostStateMachine

  private static let both: Set<Machine.Part> = [.workers, .management]
  static let states: [Machine] = [
    .opening(awaits: both), .opening(awaits: [.workers]), .starting(awaits: both),
    .starting(awaits: [.workers]), .starting(awaits: [.management]), .running, .draining,
    .stopping, .abandoned,
  ]

  /// What an event makes of a state; nil where it changes nothing.
  private static func expected(
    _ state: Machine, _ event: Machine.Event
  ) -> (Machine, [Machine.Action])? {
    switch (state, event) {
    case (.opening(let parts), .opened): (.starting(awaits: parts), [])
    case (.opening(let parts), .workersAreUp):
      (.opening(awaits: parts.subtracting([.workers])), [])
    case (.opening(let parts), .managementIsUp):
      (.opening(awaits: parts.subtracting([.management])), [])
    case (.starting([.workers]), .workersAreUp), (.starting([.management]), .managementIsUp):
      (.running, [.reportReady])
    case (.starting(let parts), .workersAreUp):
      (.starting(awaits: parts.subtracting([.workers])), [])
    case (.starting(let parts), .managementIsUp):
      (.starting(awaits: parts.subtracting([.management])), [])
    case (.opening, .stopAnnounced), (.starting, .stopAnnounced), (.running, .stopAnnounced):
      (.draining, [.beginGrace])
    case (.opening, .stopRequested), (.starting, .stopRequested), (.running, .stopRequested):
      (.stopping, [.beginGrace, .stopParts])
    case (.draining, .stopRequested): (.stopping, [.stopParts])
    case (.draining, .graceIsOver): (.stopping, [.endGrace, .stopParts])
    case (.stopping, .graceIsOver), (.abandoned, .graceIsOver):
      (state, [.endGrace, .stopParts])
    case (.draining, .openingAbandoned), (.stopping, .openingAbandoned): (.abandoned, [])
    default: nil
    }
  }

  @Test(arguments: states, Machine.Event.allCases)
  func `every event in every state leads where the table says`(
    state: Machine, event: Machine.Event
  ) {
    var machine = state
    let actions = machine.apply(event)
    let (next, wanted) = Self.expected(state, event) ?? (state, [])
    #expect(machine == next)
    #expect(actions == wanted)
  }

  @Test func `a host runs once it is open and both parts are up, in any order`() {
    for events: [Machine.Event] in [
      [.opened, .workersAreUp, .managementIsUp], [.managementIsUp, .opened, .workersAreUp],
    ] {
      var machine = Machine()
      #expect(events.map { machine.apply($0) } == [[], [], [.reportReady]])
      #expect(machine == .running)
    }
  }

  @Test(arguments: states) func `only an open host takes changes, and an ending host never`(
    state: Machine
  ) {
    #expect(!(state.takesChanges && state.isEnding))
    if case .opening = state { #expect(!state.takesChanges) }
    if state == .running { #expect(state.takesChanges) }
  }

  @Test(arguments: states) func `a host is ready once its workers are up, and not while it ends`(
    state: Machine
  ) {
    #expect(state.isReady == (!state.awaits.contains(.workers) && !state.isEnding))
    var ending = state
    _ = ending.apply(.stopRequested)
    #expect(!ending.isReady)
  }

  @Test func `the grace begins once, whoever asks for the end and however often`() {
    var machine = Machine()
    let ends: [Machine.Event] = [
      .stopAnnounced, .stopRequested, .stopRequested, .stopAnnounced, .graceIsOver, .graceIsOver,
    ]
    let actions = ends.flatMap { machine.apply($0) }
    #expect(actions.count { $0 == .beginGrace } == 1)
    #expect(actions.first == .beginGrace)
  }
}
