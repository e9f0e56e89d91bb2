import AgentAssignment
import TestSupport
import Testing

/// Random lives of a roster beside the slow model.
struct BotRosterModelTests {
  private static let types = ["backup", "health", "deploy", "review"]

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `every decision equals the slow model's, and no bot exceeds its limit`(seed: UInt64) {
    var run = Run(seed: seed)
    for step in 0..<250 {
      run.step(step)
      if run.hasFailed { break }
    }
  }

  /// One life: the roster, the model, and what is done to both.
  private struct Run {
    var random: SeededGenerator
    var roster = BotRoster()
    var model = SlowModel()
    var hasFailed = false

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func step(_ number: Int) {
      let now = Int64(number / 3)
      switch Int.random(in: 0..<20, using: &random) {
      case 0...1: register(at: now)
      case 2: update()
      case 3: remove(at: now)
      case 4...5: say(at: now)
      case 6...9: end(at: now)
      default: decide(at: now)
      }
      for member in model.members {
        let bot = roster[member.id]
        expect(bot?.load.total == member.tasks.count)
        for name in Set(member.tasks) {
          expect(bot?.load.count(of: name) == member.tasks.filter { $0 == name }.count)
        }
      }
      expect(roster.bots.map(\.id) == model.members.map(\.id).sorted())
      let after = roster.bots(after: "bot-2").map(\.id)
      let ids = model.members.map(\.id).sorted().filter { $0 > "bot-2" }
      expect(after == ids)
      var looked = 0
      let some = roster.bots(after: "bot-2", limit: 2) { bot in
        looked += 1
        return bot.id != "bot-3"
      }
      expect(some.map(\.id) == Array(ids.filter { $0 != "bot-3" }.prefix(2)))
      expect(looked <= 3)
      checkStanding()
    }

    /// The running totals equal a count of all bots.
    private mutating func checkStanding() {
      let (standing, bots) = (roster.standing, roster.bots)
      func types(_ bots: [Bot]) -> [String: Int] {
        let types = bots.flatMap { Set($0.definition.capabilities.flatMap(\.taskTypes)) }
        return Dictionary(types.map { ($0, 1) }, uniquingKeysWith: +)
      }
      let open = bots.filter { $0.status == .online }
      let working = bots.filter { $0.status == .online || $0.status == .busy }
      let there = bots.filter { $0.status != .offline && $0.status != .error }
      expect(standing.byStatus == Dictionary(grouping: bots, by: \.status).mapValues(\.count))
      expect(standing.load == working.reduce(0) { $0 + $1.load.total })
      expect(standing.most == working.reduce(0) { $0 + $1.definition.maxConcurrentTasks })
      expect(standing.types == types(there))
      expect(standing.freeBots.types == types(open))
      expect(standing.freeBots.bots == Set(open.map(\.id)))
      expect(roster.hasFreeSlot == !open.isEmpty)
    }

    private mutating func expect(_ holds: Bool, _ what: Comment? = nil) {
      if !holds { hasFailed = true }
      #expect(holds, what)
    }

    private mutating func register(at now: Int64) {
      guard model.members.count < 12 else { return }
      let id = "bot-\(Int.random(in: 0..<40, using: &random))"
      guard roster[id] == nil else { return }
      let definition = definition()
      roster.register(Bot(id: id, definition: definition, registered: now))
      model.members.append(SlowModel.Member(id: id, definition: definition, lastActive: now))
    }

    private mutating func update() {
      guard let index = model.members.indices.randomElement(using: &random) else { return }
      let definition = definition()
      _ = roster.update(model.members[index].id, definition)
      model.members[index].definition = definition
    }

    private mutating func remove(at now: Int64) {
      guard let index = model.members.indices.randomElement(using: &random) else { return }
      _ = roster.apply(.unregister, to: model.members[index].id, at: now)
      model.members.remove(at: index)
    }

    private mutating func say(at now: Int64) {
      guard let index = model.members.indices.randomElement(using: &random) else { return }
      let id = model.members[index].id
      switch Int.random(in: 0..<6, using: &random) {
      case 0:
        _ = roster.apply(.heartbeatMissed, to: id, at: now)
        let said = model.members[index].said
        if said != .offline && said != .error { model.members[index].isLost = true }
      case 1...2:
        _ = roster.apply(.heartbeat, to: id, at: now)
        model.members[index].isLost = false
      case 3:
        let status = BotStatus.allCases.randomElement(using: &random) ?? .online
        _ = roster.apply(.said(status), to: id, at: now)
        model.members[index].said = status
        model.members[index].isLost = false
      default:
        _ = roster.apply(.said(.online), to: id, at: now)
        model.members[index].said = .online
        model.members[index].isLost = false
      }
    }

    private mutating func end(at now: Int64) {
      guard let index = model.members.indices.randomElement(using: &random),
        let task = model.members[index].tasks.indices.randomElement(using: &random)
      else { return }
      let name = model.members[index].tasks.remove(at: task)
      model.members[index].lastActive = max(model.members[index].lastActive, now)
      expect(roster.end(model.members[index].id, capability: name, at: now) != nil)
    }

    private mutating func decide(at now: Int64) {
      let task = task()
      for strategy in AssignmentStrategy.builtIn {
        let expected = model.choose(task, strategy)
        let choice = roster.decide(task, strategy: strategy).choice
        expect(choice?.bot == expected?.member.id, "\(strategy.name) \(task)")
        expect(choice?.capability == expected?.capability.name, "\(strategy.name) \(task)")
        expect(choice?.score.total == expected?.score, "\(strategy.name) \(task)")
        compare(roster.explain(task, strategy: strategy), choice: choice, task: task)
      }
      let strategy = AssignmentStrategy.builtIn.randomElement(using: &random) ?? .bestFit
      begin(roster.decide(task, strategy: strategy), at: now)
    }

    /// An explanation has a word on everybody, and refuses exactly those who can't.
    private mutating func compare(
      _ explanation: Explanation, choice: Decision.Choice?, task: AssignmentTask
    ) {
      let able = Set(model.options(task).map(\.member.id))
      expect(Set(explanation.verdicts.map(\.bot)) == Set(model.members.map(\.id)))
      for verdict in explanation.verdicts {
        switch verdict.outcome {
        case .eligible(let place, let option):
          expect(able.contains(verdict.bot))
          expect((place == 1) == (verdict.bot == choice?.bot))
          expect(option.bot == verdict.bot)
        case .refused(let reasons):
          expect(!able.contains(verdict.bot) && !reasons.isEmpty, "\(verdict) \(task)")
        }
      }
      if !able.isEmpty { expect(roster.canEver(task) == .possible, "\(task)") }
    }

    private mutating func begin(_ decision: Decision, at now: Int64) {
      guard let choice = decision.choice, let name = choice.capability,
        let index = model.members.firstIndex(where: { $0.id == choice.bot })
      else { return }
      expect(roster.begin(choice.bot, capability: name, at: now) != nil)
      model.turns += 1
      model.members[index].tasks.append(name)
      model.members[index].turn = model.turns
      model.members[index].lastActive = max(model.members[index].lastActive, now)
      let tasks = model.members[index].tasks
      let definition = model.members[index].definition
      expect(tasks.count <= definition.maxConcurrentTasks)
      let most = definition.capabilities.first { $0.name == name }?.maxConcurrent ?? .max
      expect(tasks.filter { $0 == name }.count <= most)
    }

    private mutating func definition() -> BotDefinition {
      let count = Int.random(in: 0...3, using: &random)
      let capabilities = (0..<count).map { index in
        BotCapability(
          name: "c\(index)",
          taskTypes: BotRosterModelTests.types.filter { _ in Bool.random(using: &random) },
          priorityBoost: Int.random(in: -2...2, using: &random) * 5,
          maxConcurrent: Bool.random(using: &random) ? Int.random(in: 1...2, using: &random) : nil)
      }
      return BotDefinition(
        name: "b", type: BotType.builtIn.prefix(2).randomElement(using: &random) ?? .worker,
        capabilities: capabilities, maxConcurrentTasks: Int.random(in: 1...4, using: &random),
        priorityPreference: PriorityLevel.allCases.filter { _ in
          Int.random(in: 0..<4, using: &random) == 0
        })
    }

    private mutating func task() -> AssignmentTask {
      var task = AssignmentTask(
        id: "1", type: BotRosterModelTests.types.randomElement(using: &random) ?? "",
        priority: TaskPriority(clamping: Int.random(in: 0...1000, using: &random)))
      let ids = model.members.map(\.id)
      switch Int.random(in: 0..<8, using: &random) {
      case 0: task.pinned = ids.randomElement(using: &random)
      case 1: task.botType = .worker
      case 2: task.capability = "c\(Int.random(in: 0...3, using: &random))"
      case 3: task.excluded = Set(ids.filter { _ in Bool.random(using: &random) })
      default: break
      }
      return task
    }
  }
}
