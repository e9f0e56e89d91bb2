internal import AgentSystem

/// The queue of a task: the type, and the limits of the tasks in it. The name of a
/// queue says all of it, so that nothing else is stored about queues.
package struct QueueKey: Hashable, Sendable {
  var type: String
  /// The only bot that may take its tasks; nil for every bot of the type.
  var bot: String?
  /// What is limited together.
  var key: String?
  /// How many tasks with the key run at once; nil for any number.
  var limit: Int64?
  /// How many tasks with the key begin within a period.
  var rate: TaskRate?

  init(type: String, _ definition: TaskDefinition) {
    self.type = type
    bot = definition.bot
    key = definition.concurrencyKey
    guard key != nil || definition.concurrencyLimit != nil || definition.rate != nil else { return }
    // A key alone means one at a time; with a rate and no limit, only the rate counts.
    limit = definition.concurrencyLimit ?? (definition.rate == nil ? 1 : nil)
    rate = definition.rate
  }

  /// Whether it has a limit of its own beside the slots.
  package var isLimited: Bool { limit != nil || rate != nil }

  /// The queues that share its limits: those with its key, or without one those of its type.
  var group: Group { key.map(Group.key) ?? .type(type) }

  /// The bots that may take its tasks.
  package var taker: Taker { bot.map(Taker.bot) ?? .type(type) }

  /// All bots of a task type, or one bot alone.
  package enum Taker: Hashable, Sendable {
    case type(String)
    case bot(String)
  }

  /// What is limited together.
  enum Group: Hashable, Sendable {
    case key(String)
    case type(String)
  }
}

/// The name of a plain queue is its type. Every other name is a mark, and then each part with its
/// length before it, so that no part can be taken for another one, whatever characters it has.
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
    // In a fixed order: `isUnreadable` compares a name with the one that this version writes.
    put(.type, type)
    put(.bot, bot)
    put(.limit, limit.map(String.init))
    put(.count, rate.map { "\($0.count)" })
    put(.period, rate.map { "\($0.period)" })
    put(.key, key)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The queue of a name. A name that can't be read is a queue without limits of a type with this
  /// name.
  package init(name: String) {
    self.init(type: name, TaskDefinition())
    guard name.utf8.first == Self.mark, let parts = Self.parts(Array(name.utf8)[1...]),
      let type = parts[.type]
    else { return }
    self.type = type
    (bot, key) = (parts[.bot], parts[.key])
    // The name is in the database, which another program may have written.
    limit = parts[.limit].flatMap { Int64($0) }.map { $0.clamped(to: TaskBounds.concurrency) }
    guard let count = parts[.count].flatMap({ Int64($0) }),
      let period = parts[.period].flatMap({ Int64($0) })
    else { return }
    rate = TaskRate(clamping: count, period: period)
  }

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

  /// Whether this version would write another name. A former one separated the parts by a character
  /// that the parts could have themselves.
  static func isUnreadable(_ name: String) -> Bool {
    name.utf8.contains(mark) && (name.utf8.first != mark || QueueKey(name: name).name != name)
  }
}
