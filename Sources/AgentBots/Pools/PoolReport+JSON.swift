public import AgentAssignment
public import AgentJSON
internal import AgentTasks

extension PoolReport {
  /// An instance of a pool.
  public struct Instance: Sendable, Hashable {
    /// The name of its process, which is its bot's id.
    public let name: String
    /// How it stands.
    public let phase: Pool.Phase
    /// How many tasks it has.
    public let tasks: Int
  }

  /// As the API shows it.
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
