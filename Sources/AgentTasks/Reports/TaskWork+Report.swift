public import AgentJSON
internal import AgentStore

extension TaskWork {
  /// Creates an attempt from a task's representation in the API, for a worker outside the host.
  /// - Parameters:
  ///   - report: a task, as ``TaskReport`` represents it.
  ///   - log: receives the lines of the attempt's log.
  ///   - progress: receives the progress.
  /// - Returns: `nil` if the report isn't one of a task.
  public init?(
    report: JSONValue, log: @escaping @Sendable (_ stream: String, _ text: String) -> Void,
    progress: @escaping @Sendable (JSONValue) -> Void
  ) {
    guard let id = report["id"]?.string.flatMap(Int64.init), let name = report["name"]?.string,
      let type = report["type"]?.string, let object = report.object
    else { return nil }
    let definition = TaskDefinition(json: object)
    self.init(
      task: TaskRow(
        id: id, name: name, type: type, state: .running,
        priority: report["priority"]?.int64 ?? 500, queueKey: type,
        created: report["created"]?.int64 ?? 0, updated: report["updated"]?.int64 ?? 0,
        due: report["due_date"]?.int64, attempt: report["attempt"]?.int64 ?? 0,
        owner: report["owner"]?.string, parent: report["parent"]?.string.flatMap(Int64.init),
        definition: definition.stored),
      definition: definition, log: log, progress: progress)
  }
}
