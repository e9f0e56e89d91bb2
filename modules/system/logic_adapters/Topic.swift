import AgentKit

/// The subject of a question about the machine.
enum Topic: Sendable, Equatable {
  case overall, cpu, memory, disks, network, processes

  private static let subjects: Set<String> = [
    "machine", "system", "computer", "server", "host", "box",
  ]
  private static let questions: Set<String> = [
    "how", "what", "what's", "which", "is", "are", "show", "tell", "much", "many", "status",
  ]
  private static let general: Set<String> = [
    "busy", "busier", "status", "doing", "health", "healthy", "loaded", "overloaded", "stressed",
    "idle", "performance", "slow",
  ]
  private static let topics: [(Topic, Set<String>)] = [
    (.memory, ["memory", "ram", "swap"]),
    (.disks, ["disk", "disks", "storage", "filesystem", "partition"]),
    (.network, ["network", "traffic", "bandwidth"]),
    (.processes, ["process", "processes", "programs", "hogging"]),
    (.cpu, ["cpu", "cpus", "processor", "processors", "load"]),
  ]

  /// The subject of a statement, and how surely it is meant for this adapter; `nil` when it isn't.
  ///
  /// Sure when it names the machine and what to know of it; less when it only asks about a value
  /// that other adapters may know too.
  static func recognize(_ statement: Statement) -> (topic: Topic, confidence: Double)? {
    let words = Set(statement.words)
    let namesMachine = !words.isDisjoint(with: subjects)
    let asks = !words.isDisjoint(with: questions) || statement.text.contains("?")
    if let topic = topics.first(where: { !words.isDisjoint(with: $0.1) })?.0 {
      if namesMachine { return (topic, 0.95) }
      return asks || words.count <= 2 ? (topic, 0.8) : nil
    }
    guard !words.isDisjoint(with: general) else { return nil }
    if namesMachine { return (.overall, 0.95) }
    return asks && words.contains("busy") ? (.overall, 0.4) : nil
  }
}
