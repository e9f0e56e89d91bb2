import AgentSchedules
import TestSupport
import Testing

@Suite("Misfire and overlap policies")
struct PolicyTests {
  static let minute: Int64 = 60_000

  private func everyMinute(jitter: Int64 = 0) throws -> Schedule {
    try Schedule(id: "a", timing: .cron(try CronExpression("* * * * *")), jitter: jitter)
  }

  @Test(arguments: [
    (MisfirePolicy.skip, [] as [Int64], true), (.once, [10], true),
    (.all(upTo: 3), [8, 9, 10], true),
    (.all(upTo: 10), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], false),
  ])
  func `fires missed long ago follow the policy`(
    policy: MisfirePolicy, minutes: [Int64], leftOut: Bool
  ) throws {
    let now = 10 * Self.minute + 30_000
    let decision = policy.decide(try everyMinute(), handled: 0, now: now, grace: 10_000)
    #expect(decision.fires == minutes.map { $0 * Self.minute })
    #expect(decision.handled == 10 * Self.minute)
    #expect(decision.leftOut == leftOut)
  }

  @Test(arguments: [
    (MisfirePolicy.skip, [10] as [Int64]), (.once, [10]), (.all(upTo: 2), [8, 9, 10]),
  ])
  func `a fire on time always runs, and missed ones are made up for once`(
    policy: MisfirePolicy, minutes: [Int64]
  ) throws {
    let now = 10 * Self.minute + 10_000
    let decision = policy.decide(try everyMinute(), handled: 0, now: now, grace: 10_000)
    #expect(decision.fires == minutes.map { $0 * Self.minute })
    #expect(decision.handled == 10 * Self.minute)
  }

  @Test func `no policy decides before a time is due`() throws {
    let schedule = try everyMinute(jitter: 50_000)
    let fire = 10 * Self.minute
    let due = schedule.due(fire)
    #expect(due > fire)
    let before = MisfirePolicy.once.decide(
      schedule, handled: 9 * Self.minute, now: due - 1, grace: 10_000)
    #expect(
      before == MisfirePolicy.once.decide(schedule, handled: 9 * Self.minute, now: 0, grace: 0))
    #expect(before.fires.isEmpty && before.handled == 9 * Self.minute)
    let then = MisfirePolicy.once.decide(
      schedule, handled: 9 * Self.minute, now: due, grace: 10_000)
    #expect(then.fires == [fire] && then.handled == fire)
  }

  @Test(arguments: [MisfirePolicy.skip, .once, .all(upTo: 1000)])
  func `no fire time runs twice at random checks, and the policy all loses none`(
    policy: MisfirePolicy
  ) throws {
    var random = SeededGenerator(seed: 99)
    let schedule = try everyMinute(jitter: 30_000)
    var now: Int64 = 0
    var handled: Int64 = 0
    var fires: [Int64] = []
    for _ in 0..<500 {
      now += Int64.random(in: 0..<5 * Self.minute, using: &random)
      let decision = policy.decide(schedule, handled: handled, now: now, grace: 20_000)
      #expect(decision.fires.allSatisfy { $0 > handled && schedule.due($0) <= now })
      #expect(decision.handled >= handled)
      fires += decision.fires
      handled = decision.handled
    }
    #expect(fires == Set(fires).sorted())
    if case .all = policy {
      #expect(fires == Array(stride(from: Self.minute, through: handled, by: Int(Self.minute))))
    }
  }

  @Test(arguments: [
    ("skip", MisfirePolicy.skip), ("once", .once), ("all", .all(upTo: 100)),
    ("all:7", .all(upTo: 7)),
  ])
  func `policies are read`(text: String, policy: MisfirePolicy) throws {
    #expect(try MisfirePolicy(text) == policy)
    #expect(try MisfirePolicy("\(policy)") == policy)
  }

  @Test(arguments: ["", "never", "all:0", "all:1001", "all:x", "all:99999999999999999999"])
  func `other words are refused as misfire policies`(text: String) {
    #expect(throws: ScheduleError.self) { try MisfirePolicy(text) }
  }

  @Test(arguments: [
    (OverlapPolicy.skip, OverlapPolicy.Decision.skip), (.parallel, .start), (.queue, .wait),
    (.cancelRunning, .cancelOthersThenWait),
  ])
  func `a run that meets another follows the policy`(
    policy: OverlapPolicy, decision: OverlapPolicy.Decision
  ) {
    #expect(policy.decide(running: 0, waiting: 0) == .start)
    #expect(policy.decide(running: 1, waiting: 0) == decision)
    #expect(policy.decide(running: 0, waiting: 1) == decision)
  }

  @Test func `a queue is bounded, and a wrong name is refused with the nearest`() throws {
    #expect(OverlapPolicy.queue.decide(running: 1, waiting: 2, longestQueue: 2) == .skip)
    #expect(try OverlapPolicy("cancel_running") == .cancelRunning)
    let error = #expect(throws: ScheduleError.self) { try OverlapPolicy("paralel") }
    #expect(error?.message.contains("Did you mean parallel?") == true)
  }
}
