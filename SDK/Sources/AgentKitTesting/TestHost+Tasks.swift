public import AgentKit

/// A unit test has no tasks and no bots: the test provides the host's answers.
extension TestHost {
  /// A call of the host's tasks or bots.
  public struct TaskCall: Sendable, Hashable {
    /// The method: `create_task`, `register_bot` …
    public let method: String
    /// Its input.
    public let input: JSONValue
  }

  /// Answers a call, or throws as the host would.
  public typealias TaskAnswer = @Sendable (TaskCall) throws(ModuleError) -> JSONValue

  /// The calls of tasks and bots, oldest first.
  public var taskCalls: [TaskCall] { state.read { $0.taskCalls } }

  /// Answers calls of tasks and bots from now on. Until then, each call is answered with its own
  /// input and an `id` of "1", as if it had succeeded.
  ///
  /// ```swift
  /// host.answerTasks { call throws(ModuleError) in
  ///   if call.method == "assign_task" { throw ModuleError(.conflict, "Nobody has room.") }
  ///   return ["id": "7", "status": "queued"]
  /// }
  /// ```
  public func answerTasks(_ answer: @escaping TaskAnswer) {
    state.update { $0.answersTasks = answer }
  }

  /// Waits until at least `count` calls of tasks and bots were made, and returns them.
  @discardableResult
  public func taskCalls(atLeast count: Int) async -> [TaskCall] {
    await state.wait { $0.taskCalls.count >= count }
    return taskCalls
  }
}

extension TestHost.Services {
  func task(_ method: String, _ input: [UInt8]) -> Result<[UInt8], ModuleError> {
    guard let input = try? JSONDocument(parsing: input).root.value else {
      return .failure(ModuleError(.invalidArgument, "The input of \(method) isn't JSON."))
    }
    let call = TestHost.TaskCall(method: method, input: input)
    let answer = state.update { contents in
      contents.taskCalls.append(call)
      return contents.answersTasks
    }
    do throws(ModuleError) {
      if let answer { return .success(try answer(call).bytes()) }
      var object = input.object ?? [:]
      if object["id"] == nil { object["id"] = "1" }
      return .success(JSONValue.object(object).bytes())
    } catch {
      return .failure(error)
    }
  }
}
