import AgentAssignment
import AgentBots
import AgentJSON
import AgentStore
import AgentTasks
import AgentTasksTesting
import TestSupport
import Testing

/// Changes of bots count when they are stored.
@Suite struct BotChangeTests {
  private static func definition(_ name: String, padding: Int = 0) -> BotDefinition {
    BotDefinition(
      name: name, capabilities: [BotCapability(name: "c", taskTypes: ["bots"])],
      metadata: ["padding": .string(String(repeating: "a", count: padding))])
  }

  @Test(arguments: [StoreError.Code.full, .group])
  func `a change of a bot that isn't stored isn't in force`(
    _ code: StoreError.Code
  ) async throws {
    let test = try await DispatcherUnderTest.started()
    _ = try await test.dispatcher.register(Self.definition("first"), id: "b1", by: "test")
    let before = try test.dispatcher.bot("b1")
    test.engine.front.refuse(StoreError(code, "for a test"))
    await #expect(throws: StoreError.self) {
      _ = try await test.dispatcher.update("b1", Self.definition("second"))
    }
    #expect(try test.dispatcher.bot("b1") == before)
    await #expect(throws: StoreError.self) {
      _ = try await test.dispatcher.say("b1", .draining)
    }
    #expect(try test.dispatcher.bot("b1") == before)
    #expect(test.count("bot_status_changed") == 0)
    test.engine.front.refuse(nil)
    // The stored bot is the one in force.
    #expect(try await test.dispatcher.update("b1", Self.definition("third"))["name"] == "third")
    #expect(try await test.dispatcher.say("b1", .draining)["status"] == "draining")
    let row = try #require(try await test.engine.store.read { try $0.bots.bot("b1") })
    #expect(row.lifecycle == "draining")
    #expect(String(decoding: row.definition, as: UTF8.self).contains("third"))
    await test.remove()
  }

  @Test func `of two owners that register the same id at once, the first stored has the bot`()
    async throws
  {
    let test = try await DispatcherUnderTest.started { $0.maxBotsEach = 20 }
    let owners = ["program:a", "program:b"]
    for number in 0..<20 {
      let id = "b\(number)"
      let winners = await withTaskGroup(of: String?.self) { group in
        for owner in owners {
          group.addTask {
            let authority = TaskAuthority.restricted(as: owner, operates: true)
            let bot = try? await test.dispatcher.register(
              Self.definition(owner), id: id, by: authority)
            return bot.map { _ in owner }
          }
        }
        return await group.compactMap(\.self).reduce(into: []) { $0.append($1) }
      }
      #expect(winners.count == 1)
      let row = try await test.engine.store.read { try $0.bots.bot(id) }
      #expect(row?.owner == winners.first)
      #expect(try test.dispatcher.bot(id)["owner"]?.string == winners.first)
    }
    // Those that were refused take no share of their owners.
    for (number, owner) in owners.enumerated() {
      let authority = TaskAuthority.restricted(as: owner, operates: true)
      let own = try test.dispatcher.bots().count { $0["owner"]?.string == owner }
      for more in own..<20 {
        _ = try await test.dispatcher.register(
          Self.definition("more"), id: "more\(number)-\(more)", by: authority)
      }
    }
    await test.remove()
  }

  @Test func `a change that isn't stored takes no bytes of its owner`() async throws {
    let test = try await DispatcherUnderTest.started { $0.maxBytesEach = 12_000 }
    let owner = TaskAuthority.restricted(as: "program:p", operates: true)
    _ = try await test.dispatcher.register(Self.definition("a"), id: "b1", by: owner)
    test.engine.front.refuse(StoreError(.full, "for a test"))
    for _ in 0..<3 {
      await #expect(throws: StoreError.self) {
        _ = try await test.dispatcher.update(
          "b1", Self.definition("b", padding: 10_000), by: owner)
      }
    }
    test.engine.front.refuse(nil)
    _ = try await test.dispatcher.update("b1", Self.definition("b", padding: 10_000), by: owner)
    // What it takes now isn't free for another one.
    await #expect {
      _ = try await test.dispatcher.register(
        Self.definition("c", padding: 5_000), id: "b2", by: owner)
    } throws: {
      ($0 as? TaskError)?.code == .conflict
    }
    _ = try await test.dispatcher.update("b1", Self.definition("d"), by: owner)
    _ = try await test.dispatcher.register(
      Self.definition("c", padding: 5_000), id: "b2", by: owner)
    await test.remove()
  }

  @Test func `changes of one bot at the same time are stored as they are in force`() async throws {
    let first = try await DispatcherUnderTest.started()
    _ = try await first.dispatcher.register(Self.definition("first"), id: "b1", by: "test")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask {
          _ = try await first.dispatcher.update("b1", Self.definition("name \(number)"))
        }
        group.addTask {
          _ = try await first.dispatcher.say("b1", number.isMultiple(of: 2) ? .online : .draining)
        }
        group.addTask { _ = try await first.dispatcher.heartbeat("b1") }
      }
      try await group.waitForAll()
    }
    let before = try first.dispatcher.bot("b1")
    await first.stop()
    let second = try await DispatcherUnderTest.started(after: first)
    let after = try second.dispatcher.bot("b1")
    for key in ["name", "status", "sends_heartbeats"] { #expect(after[key] == before[key]) }
    await second.remove()
  }

  @Test func `a heartbeat that couldn't be stored is stored with the next one`() async throws {
    let test = try await DispatcherUnderTest.started()
    _ = try await test.dispatcher.register(Self.definition("first"), id: "b1", by: "test")
    test.engine.front.refuse(StoreError(.full, "for a test"))
    await #expect(throws: StoreError.self) { _ = try await test.dispatcher.heartbeat("b1") }
    test.engine.front.refuse(nil)
    _ = try await test.dispatcher.heartbeat("b1")
    #expect(try await test.engine.store.read { try $0.bots.bot("b1")?.beats } == true)
    await test.remove()
  }

  @Test func `a status that no longer applies when it is stored isn't set`() async throws {
    let test = try await DispatcherUnderTest.started()
    _ = try await test.dispatcher.register(Self.definition("first"), id: "b1", by: "test")
    let before = try test.dispatcher.bot("b1")
    await test.dispatcher.workerEnded(of: "b1") { false }
    #expect(try test.dispatcher.bot("b1") == before)
    #expect(try await test.engine.store.read { try $0.bots.bot("b1")?.lifecycle } == "online")
    await test.remove()
  }
}
