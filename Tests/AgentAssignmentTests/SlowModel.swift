import AgentAssignment

/// The roster as one would explain it on a blackboard: a list of bots, and for every decision all
/// of them from the start.
struct SlowModel {
  struct Member {
    var id: String
    var definition: BotDefinition
    var said = BotStatus.online
    var isLost = false
    /// What it has to do: of each task the capability.
    var tasks: [String] = []
    var lastActive: Int64
    var turn = 0
  }

  struct Option {
    var member: Member
    var capability: BotCapability
    var prefers: Bool

    var score: Int { capability.priorityBoost + (prefers ? 10 : 0) }
    var share: Double { Double(member.tasks.count) / Double(member.definition.maxConcurrentTasks) }
  }

  var members: [Member] = []
  var turns = 0

  func options(_ task: AssignmentTask) -> [Option] {
    var options: [Option] = []
    for member in members {
      if member.said != .online || member.isLost { continue }
      if member.tasks.count >= member.definition.maxConcurrentTasks { continue }
      if let pinned = task.pinned, pinned != member.id { continue }
      if task.excluded.contains(member.id) { continue }
      if let type = task.botType, type != member.definition.type { continue }
      for capability in member.definition.capabilities {
        if !capability.taskTypes.contains(task.type) { continue }
        if let name = task.capability, name != capability.name { continue }
        let has = member.tasks.filter { $0 == capability.name }.count
        if let most = capability.maxConcurrent, has >= most { continue }
        let prefers = member.definition.priorityPreference.contains(task.priority.level)
        options.append(Option(member: member, capability: capability, prefers: prefers))
      }
    }
    return options
  }

  func choose(_ task: AssignmentTask, _ strategy: AssignmentStrategy) -> Option? {
    var best: Option?
    for option in options(task) {
      guard let before = best else {
        best = option
        continue
      }
      if comesFirst(option, before, by: strategy) { best = option }
    }
    return best
  }

  private func comesFirst(_ left: Option, _ right: Option, by strategy: AssignmentStrategy) -> Bool
  {
    let keys = zip(keys(left, strategy), keys(right, strategy))
    for (left, right) in keys where left != right { return left < right }
    if left.member.id != right.member.id { return left.member.id < right.member.id }
    return left.score > right.score
  }

  /// What is compared one after the other; less comes first.
  private func keys(_ option: Option, _ strategy: AssignmentStrategy) -> [Double] {
    let fit = [-Double(option.score), option.share, Double(option.member.lastActive)]
    return switch strategy {
    case .bestFit, .custom: fit
    case .loadBalanced: [fit[1], fit[0], fit[2]]
    case .roundRobin: [Double(option.member.turn)]
    case .priorityFirst: [option.prefers ? 0 : 1] + fit
    }
  }
}
