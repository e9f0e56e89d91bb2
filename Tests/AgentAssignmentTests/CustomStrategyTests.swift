import AgentAssignment
import AgentJSON
import Testing

struct CustomStrategyTests {
  private let task = AssignmentTask(
    id: "7", type: "backup", details: ["name": "Nightly", "id": "x"])
  private let name = "mod/cheapest"

  private func decide(_ answer: String, _ roster: BotRoster) throws -> Decision {
    roster.decide(task, strategy: name, answer: try JSONValue(parsing: answer))
  }

  @Test func `a request has the task and the eligible bots in the SDK's form`() throws {
    var roster = roster(bot("b", boost: 3), bot("a"), bot("z", ["other"]), bot("c"))
    _ = roster.apply(.said(.draining), to: "c", at: 0)
    let request = roster.request(task)
    #expect(request["task"]?["id"] == "7" && request["task"]?["name"] == "Nightly")
    #expect(request["candidates"]?.array?.map { $0["id"] } == ["a", "b"])
    #expect(request["candidates"]?[1]?["score"]?["score"] == 3)
    #expect(request["candidates"]?[1]?["capability"] == "can-backup")
  }

  @Test func `the answer's choice is used with its reason`() throws {
    let decision = try decide(
      #"{"candidate": "a", "reason": "Cheapest."}"#, roster(bot("a"), bot("b", boost: 9)))
    #expect(decision.choice?.bot == "a" && decision.strategy == .custom(name))
    #expect(decision.reason.hasSuffix("Cheapest."))
  }

  @Test func `an answer without a candidate leaves the task in the queue`() throws {
    let decision = try decide(#"{"candidate": null, "reason": "At night."}"#, roster(bot("a")))
    #expect(decision.outcome == .hold && decision.note == "At night.")
  }

  @Test func `the next in the ranking gets the task if the first can't`() throws {
    var roster = roster(bot("a", most: 1), bot("b"), bot("c", boost: 9))
    _ = roster.begin("a", capability: "can-backup", at: 0)
    #expect(
      try decide(#"{"candidate": "a", "ranking": ["a", "nobody", "b"]}"#, roster).choice?.bot == "b"
    )
  }

  @Test(arguments: [
    "3", "{}", #"{"candidate": 7}"#, #"{"candidate": "nobody"}"#, #"{"candidate": "z"}"#,
    #"{"candidate": "full"}"#, #"{"candidate": "person"}"#, #"{"candidate": "a", "ranking": "b"}"#,
  ])
  func `an invalid answer is replaced by best_fit with a note`(answer: String) throws {
    var roster = roster(
      bot("a"), bot("b", boost: 9), bot("z", ["other"]), bot("full", most: 1),
      bot("person", [], type: .user))
    _ = roster.begin("full", capability: "can-backup", at: 0)
    let decision = try decide(answer, roster)
    #expect(decision.choice?.bot == "b" && decision.strategy == .bestFit)
    #expect(decision.note?.hasPrefix("It replaces mod/cheapest: ") == true)
  }

  @Test func `a custom strategy can't move a pinned task`() throws {
    var task = task
    task.pinned = "a"
    let decision = roster(bot("a"), bot("b")).decide(
      task, strategy: name, answer: ["candidate": "b"])
    #expect(decision.choice?.bot == "a" && decision.strategy == .bestFit)
  }

  @Test func `strategies are found by name, and a typo gets a suggestion`() throws {
    for strategy in AssignmentStrategy.builtIn {
      #expect(try AssignmentStrategy(named: strategy.name) == strategy)
    }
    #expect(try AssignmentStrategy(named: name, custom: [name]) == .custom(name))
    let problem = try #require(throws: AssignmentProblem.self) {
      try AssignmentStrategy(named: "load_balancd")
    }
    #expect(problem.suggestion == "load_balanced")
  }
}
