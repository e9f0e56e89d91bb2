internal import AgentAssignment
internal import AgentJSON

/// The bots and tasks of TaskBot's demonstration.
enum DemoTeam {
  static let bots: [JSONObject] = [
    bot(
      "SystemBot", type: "system",
      capabilities: ["health:system_health:5", "upkeep:maintenance:5"], most: 2),
    bot("DataBot", type: "worker", capabilities: ["backup:data_backup:10"], most: 3),
    bot(
      "WatchBot", type: "monitor",
      capabilities: ["health:system_health:10", "logs:log_analysis:5"],
      prefers: ["high", "critical"]),
    bot(
      "OBD2 Specialist", type: "specialist", capabilities: ["diagnostics:obd2_diagnostic:20"],
      prefers: ["high", "critical"]),
    bot(
      "Helper", type: "assistant",
      capabilities: ["general:custom,system_health,data_backup,log_analysis"], most: 2),
  ]

  static let tasks: [JSONObject] = [
    task("Health check", type: "system_health", priority: "high"),
    task("Backup of the settings", type: "data_backup", priority: "normal", about: "settings.json"),
    task(
      "Backup of the log", type: "data_backup", priority: "low", about: ".agent/logs/agent.jsonl"),
    task("What the log says", type: "log_analysis", priority: "normal"),
    task(
      "Ada's car", type: "obd2_diagnostic", priority: "critical",
      answers: ["41 0C 1A F8", "41 05 7B", "43 01 33"]),
    task(
      "Bo's car", type: "obd2_diagnostic", priority: "high",
      answers: ["41 0C 0B B8", "41 0D 32", "43 04 20"]),
    task("Old files", type: "maintenance", priority: "low"),
    task("A greeting", type: "custom", priority: "normal"),
  ]

  /// The types of the tasks.
  static let types = Set(tasks.compactMap { $0["type"]?.string })

  private static func bot(
    _ name: String, type: String, capabilities: [String], most: Int = 1,
    prefers: [String] = []
  ) -> JSONObject {
    [
      "name": .string(name), "bot_type": .string(type), "max_concurrent_tasks": JSONValue(most),
      "capabilities": .array(
        capabilities.compactMap { try? BotCapability(argument: $0) }.map { .object($0.json) }),
      "priority_preference": .array(prefers.map(JSONValue.string)),
    ]
  }

  private static func task(
    _ name: String, type: String, priority: String, answers: [String] = [],
    about: String? = nil
  ) -> JSONObject {
    var task: JSONObject = [
      "name": .string(name), "type": .string(type), "priority": .string(priority),
    ]
    task["description"] = about.map { .string($0) }
    if !answers.isEmpty { task["input"] = ["answers": .array(answers.map(JSONValue.string))] }
    return task
  }
}
