extension BotCapability {
  /// Reads a capability as it is written on a command line: `NAME:TASK_TYPE[,TASK_TYPE…][:BOOST]`,
  /// such as `backup:data_backup:10`.
  public init(argument: String) throws(AssignmentProblem) {
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard (2...3).contains(parts.count), let name = parts.first, !name.isEmpty,
      let list = parts.dropFirst().first
    else {
      throw AssignmentProblem(
        .invalidValue,
        "\"\(argument)\" isn't a capability. Write NAME:TASK_TYPE or NAME:TASK_TYPE:BOOST, such as backup:data_backup:10; several task types have commas between them."
      )
    }
    let types = list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard types.allSatisfy({ !$0.isEmpty }) else {
      throw AssignmentProblem(
        .invalidValue, "\"\(argument)\" has an empty task type. Take out a comma, or name the type."
      )
    }
    var boost = 0
    if let text = parts.dropFirst(2).first {
      guard let number = Int(text), Self.boosts.contains(number) else {
        throw AssignmentProblem(
          .invalidValue,
          "The boost of \"\(argument)\" isn't a whole number of \(Self.boosts.lowerBound) … \(Self.boosts.upperBound)."
        )
      }
      boost = number
    }
    self.init(name: name, taskTypes: types, priorityBoost: boost)
  }
}
