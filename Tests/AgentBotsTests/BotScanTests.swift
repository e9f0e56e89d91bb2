import AgentAssignment
import AgentBots
import AgentStore
import AgentTasks
import AgentTasksTesting
import TestSupport
import Testing

/// A task that nobody can take doesn't hold back the tasks behind it.
@Suite struct BotScanTests {
  @Test
  func `a task behind a full scan of unassignable ones gets its bot`() async throws {
    let test = try await DispatcherUnderTest.started { $0.maxAtOnce = 10 }
    for _ in 0..<35 {
      _ = try await test.engine.create(type: "bots") { $0.definition.capability = "none" }
    }
    let last = try await test.engine.create(type: "bots")
    try await test.register("b1", most: 2)
    #expect(try await test.offer(to: "b1").task == last.id)
    // Also what comes later, and goes first.
    let next = try await test.engine.create(type: "bots") { $0.priority = 1_000 }
    try await eventually("the next has its bot") {
      try await test.engine.engine.task(next.id).state == .assigned
    }
    await test.remove()
  }

  @Test func `no type is unknown while the bots aren't known yet`() async throws {
    let test = try await EngineUnderTest.started()
    let clock = test.clock
    let dispatcher = TaskDispatcher(
      tasks: test.engine, pause: { try await clock.pause($0) }, now: { clock.now },
      log: { _, _ in }, publish: { _ in })
    await #expect {
      _ = try await test.create(type: "something")
    } throws: {
      ($0 as? TaskError)?.code == .notReady
    }
    let store = test.store
    let running = Task { try await dispatcher.run(store) }
    try await eventually("it is unknown") {
      do { _ = try await test.create(type: "something") } catch let error as TaskError {
        return error.code == .invalid
      }
      return false
    }
    running.cancel()
    _ = try? await running.value
    await test.remove()
  }

  @Test func `a rate makes bots' tasks start one after the other`() async throws {
    let test = try await DispatcherUnderTest.started()
    try await test.register("b1", most: 10)
    var tasks: [TaskRow] = []
    for _ in 0..<3 {
      tasks.append(
        try await test.engine.create(type: "bots") {
          $0.definition.rate = TaskRate(clamping: 1, period: 1_000)
        })
    }
    for (place, task) in tasks.enumerated() {
      try await eventually("task \(place) is assigned") {
        if place > 0 { test.engine.clock.advance(100) }
        return try await test.engine.engine.task(task.id).state == .assigned
      }
    }
    let given = try await test.dispatcher.assignments(AssignmentSelection(bot: "b1"))
    let times = given.map(\.created).sorted()
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= 1_000 })
    await test.remove()
  }
}
