import AgentAssignment
import AgentBots
import AgentJSON
import AgentStore
import AgentTasks
import AgentTasksTesting
import TestSupport
import Testing

/// Lists of bots and of what they are given are bounded by bytes, and continue.
@Suite struct BotListTests {
  private static func text(_ bytes: Int) -> JSONValue {
    .string(String(repeating: "x", count: bytes))
  }

  /// The elements of all pages by their ids, page by page.
  private static func pages(
    of member: String, _ page: (String?) async throws -> JSONObject
  ) async throws -> [[String]] {
    var (pages, next): ([[String]], String?) = ([], nil)
    repeat {
      let answer = try await page(next)
      pages.append((answer[member]?.array ?? []).compactMap { $0["id"]?.string })
      next = answer["next"]?.string
    } while next != nil && pages.count < 100
    return pages
  }

  /// Tasks of 3 MiB each, offered to a bot.
  private static func offered(
    _ count: Int, to bot: String, _ test: DispatcherUnderTest
  ) async throws {
    for _ in 0..<count {
      let task = try await test.engine.create(type: "bots") {
        $0.waits = true
        $0.definition.input = text(3 << 20)
      }
      _ = try await test.dispatcher.assign(task.id, to: bot, by: "test")
    }
  }

  @Test func `assignments are listed page by page, whatever their results are`() async throws {
    let test = try await DispatcherUnderTest.started()
    try await test.register("b1", most: 10)
    try await Self.offered(4, to: "b1", test)
    for number in 1...4 as ClosedRange<Int64> {
      var ending = TaskDispatcher.Ending()
      ending.output = Self.text(3 << 20)
      _ = try await test.dispatcher.complete(number, ending, by: "test")
    }
    let pages = try await Self.pages(of: "assignments") { next in
      try await test.dispatcher.page(
        AssignmentSelection(before: next.flatMap { Int64($0) }), for: nil)
    }
    #expect(pages == [["4", "3", "2"], ["1"]])
    await test.remove()
  }

  @Test func `an inbox is listed page by page, whatever its tasks are`() async throws {
    let test = try await DispatcherUnderTest.started()
    try await test.register("ada", for: [], most: 10, type: .user)
    try await test.register("b1", most: 10)
    try await Self.offered(2, to: "ada", test)
    try await Self.offered(1, to: "b1", test)
    try await Self.offered(2, to: "ada", test)
    let pages = try await Self.pages(of: "assignments") { next in
      try await test.dispatcher.inbox(of: nil, before: next.flatMap { Int64($0) })
    }
    #expect(pages == [["2", "4", "5"], ["1"]])
    await test.remove()
  }

  @Test func `a bot gets its offers page by page, and by its stream all of them`() async throws {
    let test = try await DispatcherUnderTest.started()
    try await test.register("b1", most: 10)
    try await Self.offered(3, to: "b1", test)
    let pages = try await Self.pages(of: "assignments") { next in
      try await test.dispatcher.offers(
        to: "b1", after: next.flatMap { Int64($0) } ?? 0, milliseconds: 0, by: nil
      ).json
    }
    #expect(pages == [["1"], ["2"], ["3"]])
    let stream = try test.dispatcher.stream(of: "b1", after: 1)
    var iterator = stream.makeAsyncIterator()
    #expect(try await iterator.next()?.number == 2)
    #expect(try await iterator.next()?.number == 3)
    try await Self.offered(1, to: "b1", test)
    #expect(try await iterator.next()?.number == 4)
    stream.end()
    await test.remove()
  }

  @Test func `bots are listed page by page, whatever their definitions are`() async throws {
    let test = try await DispatcherUnderTest.started()
    for id in ["a", "b", "c", "d"] {
      let capabilities = (0..<320).map { number in
        BotCapability(
          name: "\(number)", description: String(repeating: "x", count: 10_000), taskTypes: ["t"])
      }
      _ = try await test.dispatcher.register(
        BotDefinition(name: id, capabilities: capabilities), id: id, by: "test")
    }
    let pages = try await Self.pages(of: "bots") { next in
      try test.dispatcher.botPage(after: next)
    }
    #expect(pages == [["a", "b", "c"], ["d"]])
    #expect(try test.dispatcher.botPage(limit: 4)["next"] == "c")
    #expect(try test.dispatcher.botPage(after: "c", limit: 1)["next"] == "d")
    #expect(try test.dispatcher.botPage(after: "d")["bots"] == [])
    await test.remove()
  }
}
