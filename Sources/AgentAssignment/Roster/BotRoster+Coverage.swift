/// What a bot can do for one type of task. Together with the bots that a task excludes, it decides
/// whether the bot can ever take the task.
public struct Coverage: Sendable, Hashable {
  public let taskType: String
  public let botType: BotType
  /// The name of the capability.
  public let capability: String
}

extension Bot {
  /// The coverage of the bot, without the types that are withheld from it.
  public var coverage: Set<Coverage> {
    Set(
      definition.capabilities.flatMap { capability in
        Set(capability.taskTypes).subtracting(withheld).map {
          Coverage(taskType: $0, botType: definition.type, capability: capability.name)
        }
      })
  }
}

extension BotRoster {
  /// Returns the types of task that nobody covers any more as a former bot did. Tasks of the other
  /// types can be taken as before, unless all remaining bots have refused them.
  /// - Parameter coverage: what the bot could do and can't do now.
  public func uncovered(_ coverage: Set<Coverage>) -> Set<String> {
    Set(coverage.filter { !covers($0) }.map(\.taskType))
  }

  /// Whether a bot has the coverage. Usually the first one does.
  private func covers(_ coverage: Coverage) -> Bool {
    (entries[coverage.taskType] ?? []).contains { entry in
      guard let bot = record(Int(entry.slot)), bot.definition.type == coverage.botType else {
        return false
      }
      return bot.definition.capabilities.dropFirst(max(0, Int(entry.position))).first?.name
        == coverage.capability
    }
  }
}
