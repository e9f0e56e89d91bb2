import AgentAssignment
import Testing

struct EscalationTests {
  private typealias Policy = EscalationPolicy

  /// Looks at the clock at intervals, and records what is done, and when.
  private func run(
    _ policy: EscalationPolicy, _ situation: EscalationPolicy.Situation, every: Int64 = 1,
    until end: Int64
  ) -> [String] {
    var history = EscalationPolicy.History()
    var log: [String] = []
    for now in stride(from: 0, through: end, by: Int64.Stride(every)) {
      while case .escalate(let target, let index, let number) = policy.next(
        situation, history, at: now)
      {
        log.append("\(now) \(target) \(number)")
        policy.record(index, at: now, in: &history)
      }
    }
    return log
  }

  @Test func `each step runs when it is due, as often as it says`() {
    let policy = EscalationPolicy([
      Escalation(.unaccepted, after: 10, to: .raise(250), every: 10, times: 3),
      Escalation(.unaccepted, after: 25, to: .user("p")),
      Escalation(.overdue, after: 5, to: .bot("b")),
    ])
    let log = run(policy, .init(unacceptedSince: 0, due: 50), until: 100)
    #expect(
      log == [
        "10 raise(250) 1", "20 raise(250) 2", "25 user(\"p\") 1", "30 raise(250) 3",
        "55 bot(\"b\") 1",
      ])
  }

  @Test func `a policy says when to ask again, or never`() {
    let policy = EscalationPolicy([Escalation(.unaccepted, after: 10, to: .raise(1))])
    var history = Policy.History()
    #expect(policy.next(.init(unacceptedSince: 5), history, at: 5) == .wait(until: 15))
    #expect(policy.next(.init(unacceptedSince: nil), history, at: 50) == .done)
    policy.record(0, at: 15, in: &history)
    #expect(policy.next(.init(unacceptedSince: 5), history, at: 500) == .done)
    #expect(EscalationPolicy([]).next(.init(unacceptedSince: 0), history, at: 5) == .done)
  }

  @Test func `steps missed between two checks run once`() {
    let policy = EscalationPolicy([Escalation(.unaccepted, after: 10, to: .raise(1), every: 10)])
    let log = run(policy, .init(unacceptedSince: 0), every: 45, until: 100)
    #expect(log == ["45 raise(1) 1", "90 raise(1) 2"])
  }

  @Test func `the older of two due steps comes first, then the earlier in the list`() {
    let policy = EscalationPolicy([
      Escalation(.unaccepted, after: 30, to: .raise(1)),
      Escalation(.unaccepted, after: 20, to: .raise(2)),
      Escalation(.unaccepted, after: 20, to: .raise(3)),
    ])
    let log = run(policy, .init(unacceptedSince: 0), every: 100, until: 100)
    #expect(log == ["100 raise(2) 1", "100 raise(3) 1", "100 raise(1) 1"])
  }

  @Test func `times beyond all numbers don't trap`() {
    let policy = EscalationPolicy([Escalation(.overdue, after: .max, to: .raise(.max), every: .max)]
    )
    #expect(
      policy.next(.init(unacceptedSince: nil, due: .max), .init(), at: 0) == .wait(until: .max))
    #expect(TaskPriority.normal.raised(by: .max).value == 1000)
    #expect(TaskPriority.normal.raised(by: .min).value == 0)
  }

  @Test func `a priority's value has a level`() {
    #expect(
      [0, 249, 250, 499, 500, 749, 750, 999, 1000].map { TaskPriority(clamping: $0).level }
        == [.low, .low, .low, .low, .normal, .normal, .high, .high, .critical])
    #expect(
      TaskPriority(clamping: 2000).name == "critical" && TaskPriority(clamping: 600).name == nil)
  }
}
