import AgentAssignment
import AgentJSON
import Testing

struct BotDefinitionReaderTests {
  private func read(_ text: String, _ reader: BotDefinitionReader = BotDefinitionReader()) throws
    -> BotDefinition
  {
    try reader.read(JSONDocument(parsing: text).root)
  }

  private func problems(
    _ text: String, _ reader: BotDefinitionReader = BotDefinitionReader()
  ) throws -> [AssignmentProblem] {
    let error = try #require(throws: AssignmentProblems.self) { try read(text, reader) }
    return error.problems
  }

  @Test func `TaskBot's body is read as its README has it`() throws {
    let bot = try read(
      """
      {"name":"DataBot","bot_type":"worker","max_concurrent_tasks":3,"capabilities":[{"name":"backup",
      "description":"Data backup capability","task_types":["data_backup"],"priority_boost":10}]}
      """)
    #expect(
      bot
        == BotDefinition(
          name: "DataBot", type: .worker,
          capabilities: [
            BotCapability(
              name: "backup", description: "Data backup capability", taskTypes: ["data_backup"],
              priorityBoost: 10)
          ], maxConcurrentTasks: 3))
  }

  @Test func `an omitted member has its default`() throws {
    let bot = try read(#"{"name": "b", "bot_type": null}"#)
    #expect(bot == BotDefinition(name: "b"))
    #expect(bot.type == .worker && bot.maxConcurrentTasks == 1 && bot.capabilities.isEmpty)
  }

  @Test func `a whole bot is read back as it was written`() throws {
    let bot = BotDefinition(
      name: "OBD2 Specialist", type: .specialist,
      capabilities: [
        BotCapability(
          name: "OBD2 Diagnostics", description: "Vehicles", taskTypes: ["obd2_diagnostic", "x"],
          priorityBoost: -20, maxConcurrent: 1)
      ], maxConcurrentTasks: 2, priorityPreference: [.high, .critical],
      metadata: ["specialization": "automotive"], contactInfo: ["email": "obd2@example.com"])
    #expect(try BotDefinitionReader().read(JSONDocument(.object(bot.json)).root) == bot)
  }

  @Test func `a webhook has an address and the name of a secret`() throws {
    let bot = try read(
      #"{"name": "a", "webhook": {"url": "https://example.org", "secret": "KEY"}}"#)
    #expect(bot.webhook == BotWebhook(url: "https://example.org", secret: "KEY"))
    let again = try BotDefinitionReader().read(JSONDocument(.object(bot.json)).root)
    #expect(again == bot)
    #expect(try read(#"{"name": "a", "webhook": null}"#).webhook == nil)
    #expect(throws: AssignmentProblems.self) { try read(#"{"name": "a", "webhook": {}}"#) }
    #expect(throws: AssignmentProblems.self) {
      try read(#"{"name": "a", "webhook": {"url": "https://a", "sekret": "b"}}"#)
    }
  }

  @Test func `a preference may be a number and counts by its level`() throws {
    let bot = try read(#"{"name": "b", "priority_preference": [800, "high", 1000, 0]}"#)
    #expect(bot.priorityPreference == [.high, .critical, .low])
  }

  @Test func `every problem is reported at once with its place and the nearest name`() throws {
    let found = try problems(
      """
      {"nmae": "b", "bot_type": "wroker", "max_concurrent_tasks": 0,
       "capabilities": [{"name": "a", "task_type": ["x"]}, {"name": "", "task_types": []}, 3],
       "priority_preference": ["hihg", 1001], "metadata": [], "contact_info": "me"}
      """, BotDefinitionReader())
    #expect(
      found.map { "\($0.place?.line ?? 0) \($0.pointer) \($0.code) \($0.suggestion ?? "-")" } == [
        "1 /nmae unknownKey name", "1  missing -", "1 /bot_type unknownName worker",
        "2 /capabilities/0/task_type unknownKey task_types", "2 /capabilities/0 missing -",
        "2 /capabilities/1/name invalidValue -", "2 /capabilities/1/task_types invalidValue -",
        "2 /capabilities/2 wrongType -", "1 /max_concurrent_tasks invalidValue -",
        "3 /priority_preference/0 invalidValue high", "3 /priority_preference/1 invalidValue -",
        "3 /metadata wrongType -", "3 /contact_info wrongType -",
      ])
  }

  @Test func `custom bot types are accepted, and unknown task types are refused by name`() throws {
    let reader = BotDefinitionReader(
      customTypes: ["robot"], taskTypes: ["data_backup", "system_health"])
    let good =
      #"{"name": "b", "bot_type": "robot", "capabilities": [{"name": "a", "task_types": ["data_backup"]}]}"#
    #expect(try read(good, reader).type == BotType("robot"))
    let found = try problems(
      #"{"name": "b", "capabilities": [{"name": "a", "task_types": ["data_bakup", 7]}]}"#, reader)
    #expect(found.map(\.suggestion) == ["data_backup", nil])
    #expect(found.map(\.code) == [.unknownName, .wrongType])
  }

  @Test func `two capabilities with one name are refused`() throws {
    let found = try problems(
      #"{"name": "b", "capabilities": [{"name": "a", "task_types": ["x"]}, {"name": "a", "task_types": ["y"]}]}"#
    )
    #expect(found.map(\.code) == [.duplicate])
  }

  @Test(arguments: ["3", "null", "[]", #""bot""#])
  func `a value that isn't an object is refused`(text: String) throws {
    #expect(try problems(text).map(\.code) == [.wrongType])
  }

  @Test func `a number beyond all integers is reported as a problem`() throws {
    let found = try problems(#"{"name": "b", "max_concurrent_tasks": 1e400}"#)
    #expect(found.map(\.code) == [.invalidValue])
  }

  @Test func `a command line argument is read as a capability`() throws {
    #expect(
      try BotCapability(argument: "backup:data_backup:10")
        == BotCapability(name: "backup", taskTypes: ["data_backup"], priorityBoost: 10))
    #expect(
      try BotCapability(argument: "coding:custom,system_health").taskTypes == [
        "custom", "system_health",
      ])
  }

  @Test(arguments: [
    "", "backup", ":x", "a:", "a:x,,y", "a:x:ten", "a:x:1:2", "a:x:99999999999999999999",
  ])
  func `an argument that isn't a capability is refused`(argument: String) {
    #expect(throws: AssignmentProblem.self) { try BotCapability(argument: argument) }
  }
}
