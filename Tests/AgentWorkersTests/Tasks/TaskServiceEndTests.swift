import AgentBots
import AgentJSON
import AgentTasks
import AgentWorkerProtocol
import Synchronization
import TestSupport
import Testing

@testable import AgentWorkers

/// Workers that end while `tasks/1` still answers their calls.
@Suite(.timeLimit(.minutes(5))) struct TaskServiceEndTests {
  private static let painter: JSONValue = [
    "name": "Painter", "capabilities": [["name": "paints", "task_types": ["paint"]]],
  ]

  @Test func `a bot whose worker ends during the registration is set offline`() async throws {
    let caller = ServiceCaller("front", module: "shop")
    let isRegistered = Mutex<(@Sendable () -> Void)?>(nil)
    let fixture = try await TaskFixture { event in
      // The bot is stored, and the service doesn't know it yet.
      if event["type"] == "bot_registered" { isRegistered.withLock(\.self)?() }
    }
    isRegistered.withLock { $0 = { fixture.end(caller) } }
    let bot = try await fixture.call("register_bot", Self.painter, from: caller)
    let id = try #require(bot["id"]?.string)
    try await wait(while: try fixture.dispatcher.bot(id)["status"] != "offline")
    isRegistered.withLock { $0 = nil }
    await fixture.end()
  }

  @Test func `a turn lasts until its answer is passed on, also after its worker's end`()
    async throws
  {
    let fixture = try await TaskFixture()
    let caller = ServiceCaller("front", module: "shop")
    let running = await withCheckedContinuation { continuation in
      fixture.service.call("list_tasks", [], from: caller) { _ in
        let successor = ServiceCaller("front", module: "shop")
        // The process is started again, and calls before this answer is passed on.
        fixture.end(caller)
        fixture.service.call("get_bots_stats", [], from: successor) { _ in }
        continuation.resume(returning: fixture.service.runningTurns(of: "front"))
      }
    }
    #expect(running == 1)
    try await eventually("the end of the turns") {
      fixture.service.runningTurns(of: "front") == 0
    }
    await fixture.end()
  }
}
