import AgentAssignment
import AgentBots
import AgentStore
import AgentTasks
import AgentTasksTesting
import TestSupport
import Testing

/// Whatever happens in whatever order: no bot has more than it may, and no task has two leases.
@Suite struct TaskDispatcherModelTests {
  private static let most = ["a": 1, "b": 2, "c": 3]

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `no bot exceeds its limit, and no task has two bots`(_ seed: UInt64) async throws {
    var dice = SeededGenerator(seed: seed)
    let test = try await DispatcherUnderTest.started { $0.answerWithin = 5_000 }
    for (id, most) in Self.most.sorted(by: { $0.key < $1.key }) {
      try await test.register(id, most: most)
    }
    for _ in 0..<120 {
      try await step(test, &dice)
      try await check(test)
    }
    // In the end everything that was given can be ended, and is.
    for id in Self.most.keys { _ = try await test.dispatcher.say(id, .online) }
    while let row = try await open(test).first {
      _ = try? await test.dispatcher.complete(row.id, TaskDispatcher.Ending(), by: nil)
    }
    await test.remove()
  }

  private func open(_ test: DispatcherUnderTest) async throws -> [AssignmentRow] {
    try await test.dispatcher.assignments(
      AssignmentSelection(states: [.pending, .accepted], limit: 1_000))
  }

  private func step(_ test: DispatcherUnderTest, _ dice: inout SeededGenerator) async throws {
    let dispatcher = test.dispatcher
    let id = Self.most.keys.sorted().randomElement(using: &dice) ?? "a"
    switch Int.random(in: 0..<10, using: &dice) {
    case 0...3: _ = try await test.engine.create(type: "bots")
    case 4, 5:
      // Either may be too late.
      guard let row = try await open(test).randomElement(using: &dice) else { return }
      _ = try? await dispatcher.accept(row.id, lease: 3_000, by: nil)
    case 6:
      guard let row = try await open(test).randomElement(using: &dice) else { return }
      _ = try? await dispatcher.complete(row.id, TaskDispatcher.Ending(), by: nil)
    case 7:
      guard let row = try await open(test).randomElement(using: &dice) else { return }
      _ = try? await dispatcher.reject(row.id, reason: "no", by: nil)
    case 8: test.engine.clock.advance(Int64.random(in: 1...2_000, using: &dice))
    default:
      let status = [BotStatus.online, .draining, .error, .online].randomElement(using: &dice)
      _ = try await dispatcher.say(id, status ?? .online)
    }
  }

  private func check(_ test: DispatcherUnderTest) async throws {
    let open = try await open(test)
    for (bot, rows) in Dictionary(grouping: open, by: \.bot) {
      #expect(rows.count <= Self.most[bot] ?? 0, "\(bot) has \(rows.count)")
    }
    #expect(Set(open.map(\.task)).count == open.count)
    let held = try await test.engine.engine.tasks(
      TaskSelection(states: [.assigned, .running], limit: 1_000))
    // Between the two reads something may have changed; what is held has one assignment each.
    for task in held {
      let rows = try await test.dispatcher.assignments(AssignmentSelection(task: task.id))
      #expect(rows.count { !$0.state.isEnded } <= 1)
      #expect(rows.contains { $0.attempt == task.attempt && $0.bot == task.bot })
    }
  }
}
