extension TaskDefinition {
  /// Refuses a definition that couldn't be parsed again or that is too large. The size is limited
  /// because a thousand tasks may be read at once.
  static func check(_ stored: [UInt8]) throws(TaskError) {
    guard stored.count <= TaskBounds.definitionBytes else {
      throw TaskError(
        .invalid,
        "The task has \(stored.count) bytes with its input, and may have "
          + "\(TaskBounds.definitionBytes). Keep the data in a file or in the state, and name its "
          + "place in input.")
    }
    guard isReadable(stored) else {
      throw TaskError(
        .invalid, "input is nested too deep: objects and lists may be 500 levels deep at most.")
    }
  }
}
