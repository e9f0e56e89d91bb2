internal import AgentStore
internal import DequeModule

/// Which lanes have something for the host to do, and how much of it may begin now.
///
/// It knows what is queued only as far as it has to: that a lane has more, and how far its first
/// task may be at least. What is taken is decided where it is stored.
struct LaneBoard {
  /// What is known of a lane.
  private struct Entry {
    let lane: TaskLane
    /// No task of the lane has a lesser rank.
    var head: Int64
    /// Something is queued, as far as is known.
    var hasMore: Bool
    /// The host does what is in it.
    var isOurs: Bool
  }

  /// What those with one key share.
  private struct Group {
    var running: Int64 = 0
    /// How many the turn that is on its way may begin.
    var reserved: Int64 = 0
    /// When the latest began.
    var begun: Deque<Int64> = []
  }

  /// So many tasks of a lane may begin.
  struct Request: Equatable {
    let lane: String
    let limit: Int
  }

  /// At most so many lanes are looked at in one go.
  private static let mostLanes = 64

  private var entries: [String: Entry] = [:]
  private var groups: [String: Group] = [:]
  /// Some lane has had a rate.
  private var hasRates = false

  /// A task was queued.
  mutating func queued(_ name: String, rank: Int64, isOurs: (TaskLane) -> Bool) {
    if var entry = entries[name] {
      entry.head = entry.hasMore ? min(entry.head, rank) : rank
      entry.hasMore = true
      entries[name] = entry
    } else {
      let lane = TaskLane(name: name)
      if lane.rate != nil { hasRates = true }
      entries[name] = Entry(lane: lane, head: rank, hasMore: true, isOurs: isOurs(lane))
    }
  }

  /// Begins anew with what is stored; when what has a rate began is kept.
  mutating func restart(
    _ lanes: [QueuedLane], held: [String], isOurs: (TaskLane) -> Bool
  ) {
    entries = [:]
    for (name, group) in groups {
      var group = group
      (group.running, group.reserved) = (0, 0)
      groups[name] = group
    }
    for lane in held { isHeld(lane) }
    for lane in lanes { queued(lane.name, rank: lane.head, isOurs: isOurs) }
  }

  /// What the host does is another matter now.
  mutating func route(_ isOurs: (TaskLane) -> Bool) {
    for (name, entry) in entries { entries[name]?.isOurs = isOurs(entry.lane) }
  }

  /// Something is queued that is for the host.
  var hasWork: Bool { entries.values.contains { $0.hasMore && $0.isOurs } }

  /// Which lanes to take from, those that wait longest first, when so many may begin in all.
  func requests(free: Int, now: Int64) -> [Request] {
    guard free > 0 else { return [] }
    return Array(rooms(free, now, isOurs: true).prefix(Self.mostLanes))
  }

  /// The lanes that have something for bots, and how many of each may begin.
  func forBots(limit: Int, now: Int64) -> [Request] { rooms(limit, now, isOurs: false) }

  private func rooms(_ free: Int, _ now: Int64, isOurs: Bool) -> [Request] {
    let waiting = entries.filter { $0.value.hasMore && $0.value.isOurs == isOurs }
      .sorted { ($0.value.head, $0.key) < ($1.value.head, $1.key) }
    var requests: [Request] = []
    // Lanes with one key must not take its room twice.
    var taken: [String: Int] = [:]
    for (name, entry) in waiting {
      let group = Self.group(entry.lane)
      let room = min(free, room(entry.lane, group, now) - taken[group, default: 0])
      guard room > 0 else { continue }
      taken[group, default: 0] += room
      requests.append(Request(lane: name, limit: room))
    }
    return requests
  }

  /// Keeps what a turn may begin for it, until ``release()``: nobody else takes it meanwhile.
  mutating func reserve(_ requests: [Request]) {
    for request in requests {
      guard let lane = entries[request.lane]?.lane, lane.isLimited else { continue }
      groups[Self.group(lane), default: Group()].reserved += Int64(request.limit)
    }
  }

  /// The turn is over.
  mutating func release() {
    for (name, group) in groups where group.reserved > 0 { groups[name]?.reserved = 0 }
  }

  /// A task of a lane goes to a bot.
  /// - Returns: whether what it shares a key with leaves room for it.
  mutating func give(_ name: String, now: Int64) -> Bool {
    let lane = entries[name]?.lane ?? TaskLane(name: name)
    guard lane.isLimited else { return true }
    let group = Self.group(lane)
    guard room(lane, group, now) > 0 else { return false }
    if lane.rate != nil { hasRates = true }
    begin(1, in: group, lane.rate, now)
    return true
  }

  /// What was given by ``give(_:now:)`` was not stored.
  mutating func takeBack(_ name: String) {
    let lane = entries[name]?.lane ?? TaskLane(name: name)
    if lane.rate != nil { _ = groups[Self.group(lane)]?.begun.popLast() }
    ended(name)
  }

  /// A bot has had a task of a lane since before the host began.
  mutating func isHeld(_ name: String) {
    let lane = TaskLane(name: name)
    if lane.isLimited { groups[Self.group(lane), default: Group()].running += 1 }
  }

  private func room(_ lane: TaskLane, _ name: String, _ now: Int64) -> Int {
    let group = groups[name] ?? Group()
    var room = Int64(Int32.max)
    if let limit = lane.limit { room = min(room, limit - group.running - group.reserved) }
    if let rate = lane.rate {
      let recent = group.begun.reversed().prefix { $0 > now - rate.period }.count
      room = min(room, rate.count - Int64(recent) - group.reserved)
    }
    return Int(max(0, room))
  }

  /// When a lane that has more than its rate lets begin may go on.
  func nextTime(now: Int64, isOurs: Bool = true) -> Int64? {
    guard hasRates else { return nil }
    return entries.compactMap { name, entry -> Int64? in
      guard entry.hasMore, entry.isOurs == isOurs, let rate = entry.lane.rate,
        let group = groups[Self.group(entry.lane)], group.begun.count >= rate.count
      else { return nil }
      let moment = group.begun[group.begun.count - Int(rate.count)].adding(rate.period)
      return moment > now ? moment : nil
    }.min()
  }

  /// This many tasks of a lane were taken.
  /// - Parameter next: the rank of the first that is left; nil when nothing is.
  mutating func took(_ count: Int, of name: String, next: Int64?, now: Int64) {
    guard let entry = entries[name] else { return }
    if let next {
      entries[name]?.head = next
    } else {
      entries[name]?.hasMore = false
    }
    let lane = entry.lane
    if count > 0, lane.isLimited { begin(count, in: Self.group(lane), lane.rate, now) }
    forgetIfIdle(name)
  }

  private mutating func begin(_ count: Int, in name: String, _ rate: TaskRate?, _ now: Int64) {
    var group = groups[name] ?? Group()
    group.running += Int64(count)
    if let rate {
      while let first = group.begun.first, first <= now - rate.period { group.begun.removeFirst() }
      for _ in 0..<count { group.begun.append(now) }
    }
    groups[name] = group
  }

  /// A task of a lane isn't being done any more.
  mutating func ended(_ name: String) {
    let lane = entries[name]?.lane ?? TaskLane(name: name)
    guard lane.isLimited else { return }
    let group = Self.group(lane)
    if let running = groups[group]?.running {
      groups[group]?.running = max(0, running - 1)
    }
    forgetIfIdle(name)
  }

  /// Lanes come and go with their keys.
  private mutating func forgetIfIdle(_ name: String) {
    guard let entry = entries[name], !entry.hasMore, entry.lane.key != nil else { return }
    let group = Self.group(entry.lane)
    guard let state = groups[group] else {
      entries[name] = nil
      return
    }
    if state.running == 0, state.reserved == 0, state.begun.isEmpty {
      groups[group] = nil
      entries[name] = nil
    }
  }

  /// Who has no key shares what its type's limit leaves.
  private static func group(_ lane: TaskLane) -> String {
    lane.key.map { "#\($0)" } ?? lane.type
  }

  /// Why nothing of a lane begins now though a place is free, for people.
  func obstacle(_ name: String, now: Int64) -> String? {
    let lane = TaskLane(name: name)
    let state = groups[Self.group(lane)] ?? Group()
    if let limit = lane.limit, state.running >= limit {
      let key = lane.key.map { " with the key \"\($0)\"" } ?? " of its type"
      return "\(state.running) of \(limit) tasks\(key) are running."
    }
    if let rate = lane.rate, room(lane, Self.group(lane), now) == 0 {
      return "\(rate.count) of its kind have begun within \(rate.period) ms, which is its rate."
    }
    return nil
  }
}
