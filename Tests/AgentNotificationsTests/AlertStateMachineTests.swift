import AgentSchedules
import Testing

@testable import AgentNotifications

/// The life of an alert as a table: what happens, and what follows.
@Suite struct AlertStateMachineTests {
  /// Something that happens at a minute.
  enum Step: Sendable {
    case raise(AlertSeverity)
    case pass
    case acknowledge
    case resolve
  }

  struct Story: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var groupWait: Int64 = 0
    var repeatAfter: Int64?
    var quiet: QuietHours?
    /// Minutes since midnight UTC, what happens then, and the notice: nil for nothing, a moment
    /// only where it isn't now.
    let steps: [(minute: Int64, step: Step, notice: NoticeKind?, notBefore: Int64?)]
  }

  private static let minute: Int64 = 60_000
  private static let night = QuietHours(
    fromMinute: 22 * 60, toMinute: 7 * 60, zone: .utc, except: .critical)
  private static let strictNight = QuietHours(
    fromMinute: 22 * 60, toMinute: 7 * 60, zone: .utc, except: nil)

  static let stories: [Story] = [
    Story(
      testDescription: "it is told once, however often it is raised",
      steps: [
        (0, .raise(.warning), .opened, nil), (1, .raise(.warning), nil, nil),
        (2, .raise(.info), nil, nil), (500, .pass, nil, nil), (501, .resolve, .resolved, nil),
        (502, .raise(.critical), nil, nil), (503, .resolve, nil, nil),
      ]),
    Story(
      testDescription: "what comes within the group wait is one notice", groupWait: 5 * minute,
      steps: [
        (0, .raise(.warning), nil, nil), (3, .raise(.warning), nil, nil), (4, .pass, nil, nil),
        (5, .pass, .opened, nil), (6, .raise(.warning), nil, nil),
      ]),
    Story(
      testDescription: "what is over before anybody was told is told to nobody",
      groupWait: 5 * minute,
      steps: [(0, .raise(.warning), nil, nil), (2, .resolve, nil, nil), (9, .pass, nil, nil)]),
    Story(
      testDescription: "it is told again until somebody looks after it", repeatAfter: 30 * minute,
      steps: [
        (0, .raise(.warning), .opened, nil), (29, .pass, nil, nil), (30, .pass, .repeated, nil),
        (60, .pass, .repeated, nil), (61, .acknowledge, nil, nil), (200, .pass, nil, nil),
        (201, .acknowledge, nil, nil), (202, .resolve, .resolved, nil),
      ]),
    Story(
      testDescription: "a host that slept tells it once, not for each time it missed",
      repeatAfter: 30 * minute,
      steps: [
        (0, .raise(.warning), .opened, nil), (500, .pass, .repeated, nil), (501, .pass, nil, nil),
        (530, .pass, .repeated, nil),
      ]),
    Story(
      testDescription: "what gets worse is told, also when somebody looks after it",
      steps: [
        (0, .raise(.info), .opened, nil), (1, .raise(.warning), .escalated, nil),
        (2, .acknowledge, nil, nil), (3, .raise(.warning), nil, nil),
        (4, .raise(.critical), .escalated, nil), (5, .raise(.info), nil, nil),
      ]),
    Story(
      testDescription: "what gets worse while it waits for its group is opened, not worse",
      groupWait: 5 * minute,
      steps: [
        (0, .raise(.info), nil, nil), (1, .raise(.critical), nil, nil), (5, .pass, .opened, nil),
      ]),
    Story(
      testDescription: "the night holds it back until its end", quiet: night,
      steps: [
        (1380, .raise(.warning), nil, nil), (1439, .raise(.warning), nil, nil),
        (1859, .pass, nil, nil), (1860, .pass, .opened, nil),
      ]),
    Story(
      testDescription: "what matters enough breaks the night", quiet: night,
      steps: [
        (1380, .raise(.warning), nil, nil), (1400, .raise(.critical), .opened, nil),
        (1500, .resolve, .resolved, nil),
      ]),
    Story(
      testDescription: "what got worse at night is told in the morning", quiet: strictNight,
      steps: [
        (1310, .raise(.warning), .opened, nil), (1400, .raise(.critical), nil, nil),
        (1859, .pass, nil, nil), (1860, .pass, .escalated, nil),
      ]),
    Story(
      testDescription: "it isn't told again at night", repeatAfter: 60 * minute,
      quiet: strictNight,
      steps: [
        (1300, .raise(.warning), .opened, nil), (1360, .pass, nil, nil),
        (1860, .pass, .repeated, nil),
        (1920, .pass, .repeated, nil),
      ]),
    Story(
      testDescription: "that it is over is told in the morning", quiet: strictNight,
      steps: [(1310, .raise(.warning), .opened, nil), (1400, .resolve, .resolved, notBefore: 1860)]),
    Story(
      testDescription: "what began and ended at night disturbs nobody", quiet: strictNight,
      steps: [
        (1330, .raise(.warning), nil, nil), (1400, .resolve, nil, nil), (1860, .pass, nil, nil),
      ]),
    Story(
      testDescription: "what is looked after isn't told in the morning", quiet: strictNight,
      steps: [
        (1330, .raise(.warning), nil, nil), (1400, .acknowledge, nil, nil), (1860, .pass, nil, nil),
      ]),
  ]

  @Test(arguments: stories)
  func `an alert opens, is acknowledged and is resolved`(_ story: Story) throws {
    let policy = AlertStateMachine.Policy(
      groupWait: story.groupWait, repeatAfter: story.repeatAfter, quiet: story.quiet)
    var machine: AlertStateMachine?
    for entry in story.steps {
      let now = entry.minute * Self.minute
      var action = AlertStateMachine.Action.nothing
      switch entry.step {
      case .raise(let severity):
        if machine == nil {
          machine = AlertStateMachine(raised: severity, at: now, policy)
          action = machine?.advance(to: now, policy) ?? .nothing
        } else {
          action = machine?.raise(severity, at: now, policy) ?? .nothing
        }
      case .pass: action = machine?.advance(to: now, policy) ?? .nothing
      case .acknowledge: _ = machine?.acknowledge()
      case .resolve: action = machine?.resolve(at: now, policy) ?? .nothing
      }
      let expected = entry.notice.map {
        AlertStateMachine.Action.notify(
          $0, notBefore: (entry.notBefore ?? entry.minute) * Self.minute)
      }
      #expect(action == expected ?? .nothing, "at \(entry.minute)")
    }
  }

  @Test func `an alert's counts and times are those of its events`() {
    let policy = AlertStateMachine.Policy()
    var machine = AlertStateMachine(raised: .info, at: 10, policy)
    _ = machine.advance(to: 10, policy)
    _ = machine.raise(.warning, at: 30, policy)
    // A clock that was set back.
    _ = machine.raise(.info, at: 20, policy)
    #expect(
      machine.count == 3 && machine.opened == 10 && machine.updated == 30 && machine.notified == 30)
    #expect(machine.severity == .warning)
  }

  @Test func `acknowledging and resolving say whether they changed anything`() {
    var machine = AlertStateMachine(raised: .info, at: 0, .init())
    let answers = [machine.acknowledge(), machine.acknowledge()]
    #expect(answers == [true, false])
    let ends = [machine.resolve(at: 1, .init()), machine.resolve(at: 2, .init())]
    #expect(ends == [.nothing, nil])
    let late = machine.acknowledge()
    #expect(!late && !machine.isCurrent && machine.due == nil)
  }
}
