internal import AgentSystem

/// The queue of a task: the type, and the limits of its tasks. The name of a queue contains all of
/// this, so the database stores nothing else about queues.
package struct QueueKey: Hashable, Sendable {
  var type: String
  /// The only bot that may take its tasks; `nil` for all bots of the type.
  var bot: String?
  /// The concurrency key, which groups the tasks of a common limit.
  var key: String?
  /// The largest number of tasks with the key that run at once; `nil` for no limit.
  var limit: Int64?
  /// The rate limit for starts of tasks with the key.
  var rate: TaskRate?

  init(type: String, _ definition: TaskDefinition) {
    self.type = type
    bot = definition.bot
    key = definition.concurrencyKey
    guard key != nil || definition.concurrencyLimit != nil || definition.rate != nil else { return }
    // A key alone means one task at a time. With a rate and without a limit, only the rate applies.
    limit = definition.concurrencyLimit ?? (definition.rate == nil ? 1 : nil)
    rate = definition.rate
  }

  /// Whether it has limits besides the slots.
  package var isLimited: Bool { limit != nil || rate != nil }

  /// The group of queues with common limits: those with the same key, or those of the type without
  /// a key.
  var group: Group { key.map(Group.key) ?? .type(type) }

  /// The bots that may take its tasks.
  package var taker: Taker { bot.map(Taker.bot) ?? .type(type) }

  /// The bots that may take a task: all bots of a task type, or a single bot.
  package enum Taker: Hashable, Sendable {
    case type(String)
    case bot(String)
  }

  /// The queues with common limits: those with a key, or those of a type.
  enum Group: Hashable, Sendable {
    case key(String)
    case type(String)
  }
}

/// The name of a queue without limits is its type. Every other name begins with a mark, followed by
/// the parts. Each part has its length before it, so names are unambiguous whatever characters they
/// contain.
extension QueueKey {
  private static let mark = UInt8(0x1f)

  private enum Part: UInt8 {
    case type = 0x74  // t
    case bot = 0x62  // b
    case key = 0x6b  // k
    case limit = 0x6c  // l
    case count = 0x63  // c
    case period = 0x70  // p
  }

  var name: String {
    let isPlain = bot == nil && key == nil && !isLimited && !type.utf8.contains(Self.mark)
    if isPlain { return type }
    var bytes = [Self.mark]
    func put(_ part: Part, _ text: String?) {
      guard let text else { return }
      bytes.append(part.rawValue)
      bytes += "\(text.utf8.count):".utf8
      bytes += text.utf8
    }
    // In a fixed order, because `isUnreadable` compares a name with the one that this version
    // writes.
    put(.type, type)
    put(.bot, bot)
    put(.limit, limit.map(String.init))
    put(.count, rate.map { "\($0.count)" })
    put(.period, rate.map { "\($0.period)" })
    put(.key, key)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Parses the name of a queue. An unreadable name is taken for a type without limits.
  package init(name: String) {
    self.init(type: name, TaskDefinition())
    guard name.utf8.first == Self.mark, let parts = Self.parts(Array(name.utf8)[1...]),
      let type = parts[.type]
    else { return }
    self.type = type
    (bot, key) = (parts[.bot], parts[.key])
    // The name comes from the database, which another program may have written.
    limit = parts[.limit].flatMap { Int64($0) }.map { $0.clamped(to: TaskBounds.concurrency) }
    guard let count = parts[.count].flatMap({ Int64($0) }),
      let period = parts[.period].flatMap({ Int64($0) })
    else { return }
    rate = TaskRate(clamping: count, period: period)
  }

  /// Parses the parts of a name after the mark. Returns `nil` if it is malformed.
  private static func parts(_ bytes: ArraySlice<UInt8>) -> [Part: String]? {
    var (rest, parts) = (bytes, [Part: String]())
    while let first = rest.first {
      guard let part = Part(rawValue: first),
        let colon = rest.firstIndex(of: UInt8(ascii: ":")),
        let count = Int(
          String(decoding: rest[rest.index(after: rest.startIndex)..<colon], as: UTF8.self)),
        count >= 0, count <= rest.endIndex - colon - 1
      else { return nil }
      let end = colon + 1 + count
      parts[part] = String(decoding: rest[(colon + 1)..<end], as: UTF8.self)
      rest = rest[end...]
    }
    return parts
  }

  /// Returns whether this version would write another name. A former version separated the parts by
  /// a character that the parts could contain.
  static func isUnreadable(_ name: String) -> Bool {
    name.utf8.contains(mark) && (name.utf8.first != mark || QueueKey(name: name).name != name)
  }
}
