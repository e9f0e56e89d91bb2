internal import AgentSystem

/// The lane in which a task is queued, as its name says it: the type, and what limits those that
/// share it. Nothing else has to be kept about a lane.
package struct QueueKey: Hashable, Sendable {
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

  /// Not as many may be done at once, or begin, as there are places.
  package var isLimited: Bool { limit != nil || rate != nil }

  /// Who shares the lane's limits: those with its key; without one, those of its type.
  var group: Group { key.map(Group.key) ?? .type(type) }

  /// Which bots may take what is in it.
  package var taker: Taker { bot.map(Taker.bot) ?? .type(type) }

  /// Those who do a type of task, or one of them alone.
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

/// The name of a lane is its type, where nothing else is said. Otherwise it is a mark, and then each
/// part with its length before it, so that no part can be taken for the beginning of another one,
/// whatever characters it has.
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
    put(.type, type)
    put(.bot, bot)
    put(.limit, limit.map(String.init))
    put(.count, rate.map { "\($0.count)" })
    put(.period, rate.map { "\($0.period)" })
    put(.key, key)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The lane of a name. A name that isn't one is a lane without limits, of a type that nobody does.
  package init(name: String) {
    self.init(type: name, TaskDefinition())
    guard name.utf8.first == Self.mark, let parts = Self.parts(Array(name.utf8)[1...]),
      let type = parts[.type]
    else { return }
    self.type = type
    (bot, key) = (parts[.bot], parts[.key])
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

  /// Whether a name isn't as this version writes it: a former one told the parts apart by a character
  /// that they could have themselves.
  static func isUnreadable(_ name: String) -> Bool {
    name.utf8.contains(mark) && (name.utf8.first != mark || QueueKey(name: name).name != name)
  }
}
