public import AgentAssignment
public import AgentJSON
internal import AgentTasks

extension PoolReport {
  /// An instance of a pool.
  public struct Instance: Sendable, Hashable {
    /// The name of the process. It is the bot's id too.
    public let name: String
    public let phase: Pool.Phase
    /// The number of tasks that the bot has.
    public let tasks: Int
  }

  /// The state in the API's form. Times are in milliseconds.
  public var json: JSONObject {
    [
      "name": .string(name), "min": JSONValue(policy.min), "max": JSONValue(policy.max),
      "target_queue_time_ms": JSONValue(policy.targetQueueTime),
      "instances": .array(
        instances.map {
          [
            "name": .string($0.name), "state": .string($0.phase.rawValue),
            "tasks": JSONValue($0.tasks),
          ]
        }),
      "queued": JSONValue(queued), "mean_task_ms": serviceTime.map { JSONValue($0) } ?? .null,
      "reason": .string(reason.rawValue),
    ]
  }
}
