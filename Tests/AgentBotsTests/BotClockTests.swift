import AgentBots
import AgentJSON
import AgentStore
import AgentTasks
import AgentTasksTesting
import TestSupport
import Testing

/// Escalations and offers on clocks that are set: by an hour forth or back, by a moment, by a machine
/// that was suspended, and by ten years.
@Suite struct BotClockTests {
  static let jumps: [Int64] = [3_600_000, -3_600_000, -300, 28_800_000, 315_360_000_000]

  @Test(arguments: jumps)
  func `an escalation comes after its wait, and again after its period, whatever the clock says`(
    _ jump: Int64
  ) async throws {
    let test = try await DispatcherUnderTest.started()
    let clock = test.engine.clock
    let task = try await test.engine.create(type: "bots") {
      $0.definition.escalation = [
        ["after_ms": 10_000, "to": ["priority": 100], "every_ms": 20_000, "times": 3]
      ]
    }
    clock.step(jump)
    clock.advance(4_000)
    try await looksAgain(at: clock.now + 6_000, task.id, in: test)
    #expect(test.count("task_escalated") == 0)
    clock.advance(6_000)
    try await escalated(1, in: test)
    try await looksAgain(at: clock.now + 20_000, task.id, in: test)
    clock.step(jump)
    clock.advance(5_000)
    try await looksAgain(at: clock.now + 15_000, task.id, in: test)
    #expect(test.count("task_escalated") == 1)
    clock.advance(15_000)
    try await escalated(2, in: test)
    await test.remove()
  }

  @Test(arguments: jumps)
  func `an offer ends after its time, whatever the clock says`(_ jump: Int64) async throws {
    let test = try await DispatcherUnderTest.started {
      $0.answerWithin = 10_000
      $0.heartbeatTimeout = 3_600_000
    }
    let clock = test.engine.clock
    try await test.register("b1")
    let task = try await test.engine.create(type: "bots")
    let offer = try await test.offer(to: "b1")
    clock.step(jump)
    clock.advance(9_000)
    clock.wake()
    let accepted = try await test.dispatcher.assignments(
      AssignmentSelection(states: [.pending], bot: "b1"))
    #expect(accepted.map(\.id) == [offer.id])
    try await eventually("the lease has moved") {
      clock.wake()
      let row = try await test.engine.engine.task(task.id)
      return row.state == .assigned && row.wake == clock.now + 1_000
    }
    clock.advance(1_000)
    try await eventually("the offer is over") {
      clock.wake()
      let pending = try await test.dispatcher.assignments(
        AssignmentSelection(states: [.pending], bot: "b1"))
      return pending.map(\.id) != [offer.id]
    }
    await test.remove()
  }

  /// Returns once the next look at a task's escalation is at a moment; whoever sleeps wakes.
  private func looksAgain(at moment: Int64, _ id: Int64, in test: DispatcherUnderTest) async throws
  {
    try await eventually("it is looked at again at \(moment)") {
      test.engine.clock.wake()
      return try await test.engine.engine.task(id).escalateAt == moment
    }
  }

  private func escalated(_ count: Int, in test: DispatcherUnderTest) async throws {
    try await eventually("it is escalated \(count) times") {
      test.engine.clock.wake()
      return test.count("task_escalated") == count
    }
  }
}
