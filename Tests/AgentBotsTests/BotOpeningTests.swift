import AgentAssignment
import AgentBots
import AgentJSON
import AgentStore
import AgentTasks
import AgentTasksTesting
import Testing

/// The start of a dispatcher on a disk that can't be read for a moment.
@Suite struct BotOpeningTests {
  @Test func `a bot is registered once when its read is repeated`() async throws {
    let first = try await DispatcherUnderTest.started()
    try await first.register("b1")
    await first.stop()
    let engine = try await EngineUnderTest.started(owner: "second", after: first.engine)
    let clock = engine.clock
    let dispatcher = TaskDispatcher(
      tasks: engine.engine, pause: { try await clock.pause($0) }, now: { clock.now },
      steady: { clock.steady }, log: { _, _ in }, publish: { _ in })
    var plan = BotPlan()
    plan.maxBots = 2
    dispatcher.apply(plan)
    // Its own, because the engine reads too.
    let front = RefusingStore(engine.store)
    front.refuseRead(StoreError(.fault, "The disk can't be read."), after: 0)
    try await dispatcher.open(front) { step in
      do {
        try await step()
      } catch is StoreError {
        try await step()
      }
    }
    #expect(front.reads == 2)
    #expect(try dispatcher.bot("b1")["id"] == "b1")
    // There is space for one more, because the first one is counted once.
    _ = try await dispatcher.register(BotDefinition(name: "b2"), id: "b2", by: "test")
    await engine.remove()
  }
}
