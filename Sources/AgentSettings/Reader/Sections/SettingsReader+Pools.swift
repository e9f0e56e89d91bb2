import AgentJSON
import AgentModules
import AgentText
import JSONSchema

/// Reads `bots.pools`. The schema has reported values of the wrong type. This code checks the rules
/// between values.
extension SettingsReader {
  private static let path = ["bots", "pools"]
  /// The numbers of instances that the schema allows. A number outside of it has a problem already,
  /// but the reading goes on to find others, and makes a process for each instance.
  private static let sizes = 0...256

  mutating func readPools(
    _ local: [LocalBotSettings], _ processes: [ProcessSettings]
  ) -> [BotPoolSettings] {
    let pools = root["bots"]?["pools"]?.object ?? [:]
    var found: [BotPoolSettings] = []
    for (name, value) in pools.sorted(by: { $0.key < $1.key }) {
      guard let pool = readPool(name, value) else { continue }
      check(pool, local: local, processes: processes, others: found)
      found.append(pool)
    }
    return found
  }

  private mutating func readPool(_ name: String, _ value: JSONValue) -> BotPoolSettings? {
    guard let process = value["process"]?.string, let most = value["max"]?.int else { return nil }
    let least = value["min"]?.int ?? 0
    if least > most {
      add(
        "invalid_value", at: Self.path + [name, "min"],
        message: "the fewest (min: \(least)) are more than the most (max: \(most)).",
        expected: "at most max")
    }
    func milliseconds(_ key: String, _ usual: Int64) -> Int64 {
      max(1, Self.milliseconds(value[key]) ?? usual)
    }
    let largest = max(1, Self.clamped(most))
    return BotPoolSettings(
      name: name, process: process, min: min(Self.clamped(least), largest), max: largest,
      targetQueueTimeMs: milliseconds("target_queue_time", 10_000),
      growAfterMs: milliseconds("grow_after", 10_000),
      shrinkAfterMs: milliseconds("shrink_after", 60_000))
  }

  private static func clamped(_ size: Int) -> Int {
    min(max(size, sizes.lowerBound), sizes.upperBound)
  }

  private mutating func check(
    _ pool: BotPoolSettings, local: [LocalBotSettings], processes: [ProcessSettings],
    others: [BotPoolSettings]
  ) {
    let place = Self.path + [pool.name, "process"]
    guard root["processes"]?[pool.process] != nil else {
      let nearest = NameSuggestion.of(pool.process, among: processes.map(\.name))
      return add(
        "unknown_process", at: place,
        message: "there is no process \"\(pool.process)\"."
          + NameSuggestion.question(nearest),
        expected: "a process of these settings", found: "\"\(pool.process)\"", suggestion: nearest)
    }
    if let other = others.first(where: { $0.process == pool.process }) {
      add(
        "duplicate_process", at: place,
        message: "the pool \"\(other.name)\" has this process already. Name another one, or change "
          + "that pool.", found: "\"\(pool.process)\"")
    }
    let hasBot = (root["bots"]?["local"]?.object ?? [:]).contains {
      $0.value["process"]?.string == pool.process
    }
    if !hasBot {
      add(
        "no_bot", at: place,
        message:
          "no bot runs its tasks in this process, so the size of the pool can't be "
          + "decided. Add one to bots.local, with \"process\": \"\(pool.process)\".",
        expected: "the process of a bot of bots.local", found: "\"\(pool.process)\"")
    }
    let taken = Set(processes.map(\.name) + local.map(\.name))
    for name in (1...pool.max).map(pool.instance) where taken.contains(name) {
      add(
        "reserved_name", at: Self.path, key: pool.name,
        message:
          "its instances are called \(pool.instance(1)) … \(pool.instance(pool.max)), and there"
          + " is a \"\(name)\" already. Choose another name.", expected: "another name")
    }
  }

  /// Returns the processes. The instances of a pool replace the process that the pool is made of.
  func withInstances(
    _ processes: [ProcessSettings], _ pools: [BotPoolSettings]
  ) -> [ProcessSettings] {
    processes.flatMap { process in
      guard let pool = pools.first(where: { $0.process == process.name }), process.enabled else {
        return [process]
      }
      return (1...pool.max).map { process.instance(pool.instance($0), of: pool.name) }
    }
  }
}
