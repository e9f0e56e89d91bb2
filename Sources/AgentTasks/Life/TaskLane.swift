/// The lane in which a task is queued, as its name says it: the type, and what limits those that
/// share it. Nothing else has to be kept about a lane.
struct TaskLane: Hashable, Sendable {
  private static let separator: Character = "\u{1F}"

  var type: String
  /// The bot that is to do it, and no other.
  var bot: String?
  /// What is limited together.
  var key: String?
  /// How many with the key run at once.
  var limit: Int64?
  /// How many with the key begin within a period.
  var rate: TaskRate?

  init(type: String, _ definition: TaskDefinition) {
    self.type = type
    bot = definition.bot
    key = definition.concurrencyKey
    guard key != nil || definition.concurrencyLimit != nil || definition.rate != nil else { return }
    limit = definition.concurrencyLimit ?? (definition.rate == nil ? 1 : nil)
    rate = definition.rate
  }

  init(name: String) {
    let parts = name.split(separator: Self.separator, omittingEmptySubsequences: false)
    type = parts.first.map(String.init) ?? name
    for part in parts.dropFirst() {
      let rest = String(part.dropFirst())
      switch part.first {
      case "@": bot = rest
      case "#": key = rest
      case "c": limit = Int64(rest)
      case "r":
        let numbers = rest.split(separator: "/").compactMap { Int64($0) }
        if numbers.count == 2 { rate = TaskRate(count: numbers[0], period: numbers[1]) }
      default: break
      }
    }
  }

  /// Not as many may be done at once, or begin, as there are places.
  var isLimited: Bool { limit != nil || rate != nil }

  var name: String {
    if bot == nil, key == nil, limit == nil, rate == nil { return type }
    var parts = [type]
    if let bot { parts.append("@\(bot)") }
    if let limit { parts.append("c\(limit)") }
    if let rate { parts.append("r\(rate.count)/\(rate.period)") }
    if let key { parts.append("#\(key)") }
    return parts.joined(separator: String(Self.separator))
  }
}
