import AgentAssignment
import BenchSupport

/// A roster of bots with random boosts, preferences and slots, about half of which are taken.
struct Crowd {
  private var roster = BotRoster()
  private let tasks: [AssignmentTask]
  /// What runs, the oldest first: as many as half of all slots.
  private var running: [(bot: String, capability: String?)?]
  private var oldest = 0
  private var now: Int64 = 0

  init(bots: Int, types: Int, seed: UInt64) {
    // xorshift64 (Marsaglia 2003): any numbers will do, the same ones for a seed.
    var state = seed &* 2_685_821_657_736_338_717 | 1
    func number(_ bound: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(bound))
    }
    var slots = 0
    for index in 0..<bots {
      let most = 1 + number(8)
      slots += most
      let capability = BotCapability(
        name: "capability", taskTypes: ["type-\(index % types)"], priorityBoost: number(20),
        maxConcurrent: number(2) == 0 ? nil : most)
      let definition = BotDefinition(
        name: "Bot \(index)", capabilities: [capability], maxConcurrentTasks: most,
        priorityPreference: PriorityLevel.allCases.filter { _ in number(3) == 0 })
      let id = "bot-\(String(state, radix: 16))-\(index)"
      roster.register(Bot(id: id, definition: definition, registered: 0))
    }
    tasks = (0..<1_000).map { index in
      AssignmentTask(
        id: "\(index)", type: "type-\(number(types))",
        priority: TaskPriority(clamping: number(1_001)))
    }
    running = Array(repeating: nil, count: slots / 2)
  }

  /// Makes `count` decisions, begins each task, and ends the oldest task for it.
  /// - Returns: the CPU seconds that they took.
  mutating func decide(_ count: Int, _ strategy: AssignmentStrategy) -> Double {
    for index in running.indices { step(index, strategy) }
    let start = BenchClock.thread.now
    for index in 0..<count { step(index, strategy) }
    return Double(BenchClock.thread.now - start) / 1e9
  }

  private mutating func step(_ index: Int, _ strategy: AssignmentStrategy) {
    now += 1
    if let ended = running[oldest] {
      _ = roster.end(ended.bot, capability: ended.capability, at: now)
      running[oldest] = nil
    }
    if let choice = roster.decide(tasks[index % tasks.count], strategy: strategy).choice {
      _ = roster.begin(choice.bot, capability: choice.capability, at: now)
      running[oldest] = (choice.bot, choice.capability)
    }
    oldest = (oldest + 1) % running.count
  }
}
