import AgentAssignment
import AgentJSON
import Testing

/// A bot that is online, with one capability a type unless more is said.
func bot(
  _ id: String, _ types: [String] = ["backup"], most: Int = 2, boost: Int = 0,
  capabilityMost: Int? = nil, type: BotType = .worker, prefers: [PriorityLevel] = [],
  registered: Int64 = 0
) -> Bot {
  let capabilities = types.map {
    BotCapability(
      name: "can-\($0)", taskTypes: [$0], priorityBoost: boost, maxConcurrent: capabilityMost)
  }
  return Bot(
    id: id,
    definition: BotDefinition(
      name: "Bot \(id)", type: type, capabilities: capabilities, maxConcurrentTasks: most,
      priorityPreference: prefers), registered: registered)
}

func roster(_ bots: Bot...) -> BotRoster {
  var roster = BotRoster()
  for bot in bots { roster.register(bot) }
  return roster
}

struct BotRosterTests {
  private let task = AssignmentTask(id: "1", type: "backup")

  private func codes(_ roster: BotRoster, task: AssignmentTask, bot: String) -> [String]? {
    roster.refusals(task, bot: bot)?.map(\.code)
  }

  @Test func `the bot with the highest score is chosen, and its parts are listed`() throws {
    let roster = roster(bot("a", boost: 5), bot("b", prefers: [.critical]), bot("c"))
    var task = task
    #expect(roster.decide(task, strategy: .bestFit).choice?.bot == "a")
    task.priority = TaskPriority(.critical)
    let choice = try #require(roster.decide(task, strategy: .bestFit).choice)
    #expect(choice.bot == "b" && choice.capability == "can-backup")
    #expect(choice.score.boost == 0 && choice.score.preference == Score.preferenceBonus)
  }

  @Test func `equal scores are decided by load, then idle time, then id`() {
    var roster = roster(bot("c"), bot("b", registered: 5), bot("a", registered: 5))
    #expect(roster.decide(task, strategy: .bestFit).choice?.bot == "c")
    #expect(roster.begin("c", capability: "can-backup", at: 6) == [])
    #expect(roster.decide(task, strategy: .bestFit).choice?.bot == "a")
    #expect(roster.end("c", capability: "can-backup", at: 4) == [])
    #expect(roster.decide(task, strategy: .bestFit).choice?.bot == "a")
  }

  @Test func `load is balanced by share, not by number`() {
    var roster = roster(bot("a", most: 10), bot("b", most: 2, boost: 100))
    for _ in 0..<4 { _ = roster.begin("a", capability: "can-backup", at: 1) }
    _ = roster.begin("b", capability: "can-backup", at: 1)
    #expect(roster.decide(task, strategy: .loadBalanced).choice?.bot == "a")
    #expect(roster.decide(task, strategy: .bestFit).choice?.bot == "b")
  }

  @Test func `a bot that prefers the priority comes first, whatever its score`() {
    let roster = roster(
      bot("a", boost: 1000), bot("b", prefers: [.high]), bot("c", boost: 3, prefers: [.high]))
    var task = task
    task.priority = TaskPriority(clamping: 800)
    #expect(roster.decide(task, strategy: .priorityFirst).choice?.bot == "c")
    task.priority = .normal
    #expect(roster.decide(task, strategy: .priorityFirst).choice?.bot == "a")
  }

  @Test func `the best of a bot's capabilities that has a free slot is used`() {
    let definition = BotDefinition(
      name: "b",
      capabilities: [
        BotCapability(name: "slow", taskTypes: ["backup"]),
        BotCapability(name: "fast", taskTypes: ["backup"], priorityBoost: 5, maxConcurrent: 1),
      ], maxConcurrentTasks: 3)
    var roster = roster(Bot(id: "b", definition: definition, registered: 0))
    #expect(roster.decide(task, strategy: .roundRobin).choice?.capability == "fast")
    _ = roster.begin("b", capability: "fast", at: 0)
    #expect(roster.decide(task, strategy: .roundRobin).choice?.capability == "slow")
    #expect(roster.begin("b", capability: "fast", at: 0) == nil)
    var task = task
    task.capability = "fast"
    #expect(roster.decide(task, strategy: .bestFit).choice == nil)
    #expect(codes(roster, task: task, bot: "b") == ["capability_at_capacity"])
  }

  @Test func `every reason against a bot is listed`() {
    var roster = roster(bot("a", ["backups"], most: 1))
    _ = roster.begin("a", capability: "can-backups", at: 0)
    _ = roster.apply(.said(.draining), to: "a", at: 0)
    let task = AssignmentTask(
      id: "1", type: "backup", pinned: "z", botType: .monitor, excluded: ["a"])
    #expect(
      roster.refusals(task, bot: "a") == [
        .pinnedElsewhere("z"), .excluded, .otherType(wanted: "monitor", is: "worker"),
        .lacksTaskType("backup", nearest: "backups"), .draining, .atCapacity(load: 1, most: 1),
      ])
    #expect(roster.refusals(task, bot: "nobody") == nil)
  }

  @Test(arguments: [BotStatus.busy, .draining, .offline, .error])
  func `a bot that isn't online gets no task`(status: BotStatus) {
    var roster = roster(bot("a"))
    #expect(roster.apply(.said(status), to: "a", at: 0)?.first == .announce(status))
    #expect(roster.decide(task, strategy: .bestFit).choice == nil)
    #expect(roster.begin("a", capability: "can-backup", at: 0) == nil)
    #expect(codes(roster, task: task, bot: "a") == [status.rawValue])
    _ = roster.apply(.said(.online), to: "a", at: 0)
    #expect(roster.decide(task, strategy: .bestFit).choice?.bot == "a")
  }

  @Test func `a bot is busy while it is at capacity`() {
    var roster = roster(bot("a", most: 1))
    #expect(roster.begin("a", capability: "can-backup", at: 0) == [.announce(.busy)])
    #expect(roster["a"]?.status == .busy)
    #expect(roster.begin("a", capability: "can-backup", at: 0) == nil)
    #expect(roster.decide(task, strategy: .bestFit).reason.contains("1 at capacity"))
    #expect(roster.end("a", capability: "can-backup", at: 0) == [.announce(.online)])
    #expect(roster.end("a", capability: "can-backup", at: 0) == nil)
  }

  @Test func `a draining bot reports when it is drained, at once or with its last task`() {
    var roster = roster(bot("a"), bot("b"))
    _ = roster.begin("a", capability: "can-backup", at: 0)
    #expect(roster.apply(.said(.draining), to: "a", at: 0) == [.announce(.draining)])
    #expect(roster.end("a", capability: "can-backup", at: 0) == [.drained])
    #expect(roster.apply(.said(.draining), to: "b", at: 0) == [.announce(.draining), .drained])
  }

  @Test func `a pinned task waits for its bot, which needs the capability`() {
    var roster = roster(bot("a"), bot("b", boost: 9), bot("c", ["other"]))
    var task = task
    task.pinned = "a"
    #expect(roster.decide(task, strategy: .bestFit).choice?.bot == "a")
    #expect(codes(roster, task: task, bot: "b") == ["pinned_elsewhere"])
    _ = roster.apply(.heartbeatMissed, to: "a", at: 0)
    #expect(roster.decide(task, strategy: .bestFit).choice == nil)
    task.pinned = "c"
    #expect(roster.decide(task, strategy: .bestFit).choice == nil)
    #expect(roster.canEver(task) == .pinnedIsUnsuited("c"))
  }

  @Test func `a person without capabilities gets only tasks pinned to them`() {
    var roster = roster(bot("p", [], type: .user))
    #expect(roster.decide(task, strategy: .bestFit).choice == nil)
    var task = task
    task.pinned = "p"
    let choice = roster.decide(task, strategy: .bestFit).choice
    #expect(choice?.bot == "p" && choice?.capability == nil)
    #expect(roster.begin("p", capability: nil, at: 0) == [])
    #expect(roster.refusals(task, bot: "p") == [])
    #expect(roster.canEver(task) == .possible)
  }

  @Test func `a task's bot type and exclusions are respected`() {
    let roster = roster(bot("a", boost: 9), bot("b", type: .monitor))
    var task = task
    task.botType = .monitor
    #expect(roster.decide(task, strategy: .bestFit).choice?.bot == "b")
    task.botType = nil
    task.excluded = ["a"]
    #expect(roster.decide(task, strategy: .bestFit).choice?.bot == "b")
    task.excluded = ["a", "b"]
    #expect(roster.decide(task, strategy: .bestFit).reason.contains("2 excluded"))
    #expect(roster.canEver(task) == .allExcluded(2))
  }

  @Test func `a task's feasibility doesn't depend on status or load`() {
    var roster = roster(bot("a", ["data_backup"], most: 1))
    var task = AssignmentTask(id: "1", type: "data_backup")
    _ = roster.begin("a", capability: "can-data_backup", at: 0)
    _ = roster.apply(.said(.error), to: "a", at: 0)
    #expect(roster.canEver(task) == .possible)
    task.capability = "can_data_backup"
    #expect(
      roster.canEver(task) == .unknownCapability("can_data_backup", nearest: "can-data_backup"))
    task.capability = nil
    task.botType = .monitor
    #expect(roster.canEver(task) == .noBotOfType("monitor"))
    task.type = "data_bakcup"
    #expect(roster.canEver(task) == .unknownTaskType("data_bakcup", nearest: "data_backup"))
    task.pinned = "z"
    #expect(roster.canEver(task) == .pinnedIsUnknown("z"))
  }

  @Test func `an update keeps the load, and a lowered limit admits no new task`() {
    var roster = roster(bot("a", most: 3))
    for _ in 0..<2 { _ = roster.begin("a", capability: "can-backup", at: 0) }
    #expect(
      roster.update("a", bot("a", ["backup", "other"], most: 1).definition) == [.announce(.busy)])
    #expect(roster["a"]?.utilization == 2)
    #expect(roster.decide(task, strategy: .bestFit).choice == nil)
    _ = roster.update("a", bot("a", ["other"], most: 3).definition)
    #expect(roster.taskTypes == ["other"])
    #expect(roster.end("a", capability: "can-backup", at: 0) == [])
    #expect(roster["a"]?.load.total == 1)
    #expect(roster.update("z", bot("z").definition) == nil)
  }

  @Test func `unregistering removes the bot and frees its tasks`() {
    var roster = roster(bot("a"), bot("b"))
    #expect(roster.apply(.unregister, to: "a", at: 0) == [.requeueTasks, .forget])
    #expect(roster["a"] == nil && roster.count == 1 && roster.bots.map(\.id) == ["b"])
    #expect(roster.apply(.heartbeat, to: "a", at: 0) == nil)
    roster.register(bot("c", boost: 1))
    #expect(roster.decide(task, strategy: .bestFit).choice?.bot == "c")
  }

  @Test func `a silent bot is found, and a heartbeat ends its silence`() {
    var roster = roster(bot("a"), bot("b"))
    _ = roster.apply(.heartbeat, to: "b", at: 900)
    #expect(roster.silent(at: 1000, after: 500) == ["a"])
    #expect(
      roster.apply(.heartbeatMissed, to: "a", at: 1000) == [.announce(.offline), .requeueTasks])
    #expect(roster.silent(at: 1000, after: 500) == [])
    #expect(codes(roster, task: task, bot: "a") == ["lost"])
    #expect(roster.apply(.heartbeat, to: "a", at: 1100) == [.announce(.online)])
    #expect(roster["a"]?.lastHeartbeat == 1100)
  }

  @Test func `an explanation ranks the eligible bots and says why the others aren't`() throws {
    var roster = roster(
      bot("a", boost: 1), bot("b", boost: 2), bot("c", ["other"]), bot("d", most: 1))
    _ = roster.begin("d", capability: "can-backup", at: 0)
    let explanation = roster.explain(task, strategy: .bestFit)
    #expect(explanation.verdicts.map(\.bot) == ["b", "a", "c", "d"])
    #expect(explanation.verdicts[3].description == "Bot d (d): at capacity (1 of 1)")
    let json = explanation.json
    #expect(json["decision"]?["bot"] == "b")
    #expect(json["bots"]?[0]?["score"]?["priority_boost"] == 2)
    #expect(json["bots"]?[2]?["reasons"]?[0]?["code"] == "lacks_task_type")
  }
}
