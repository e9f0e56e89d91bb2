import AgentAssignment
import AgentStore
import Testing

@testable import AgentTasks

/// The choice of queues that a scan for bots reads.
@Suite struct BotQueuesTests {
  private final class BoardUnderTest {
    var board = QueueLimits()

    func room(_ types: String..., bots: String...) -> BotRoom {
      var roster = BotRoster()
      let work = BotCapability(name: "c", taskTypes: types)
      roster.register(
        Bot(id: "any", definition: BotDefinition(name: "any", capabilities: [work]), registered: 0))
      for bot in bots {
        roster.register(Bot(id: bot, definition: BotDefinition(name: bot), registered: 0))
      }
      return roster.standing.room
    }

    func lane(_ type: String, bot: String? = nil, key: String? = nil) -> String {
      var definition = TaskDefinition()
      (definition.bot, definition.concurrencyKey) = (bot, key)
      return QueueKey(type: type, definition).name
    }

    func queue(_ lane: String, rank: Int64) { board.queued(lane, rank: rank) { _ in false } }

    func looked(
      limit: Int = 10, isFirst: Bool = true, _ room: BotRoom? = nil, now: Int64 = 0
    ) -> [BotQueues.Request] {
      board.forBots(limit: limit, isFirst: isFirst, room: room, now: now)
    }

    func scan(
      _ room: BotRoom?, limit: Int = 10, isFirst: Bool = true, now: Int64 = 0
    ) -> [String] {
      looked(limit: limit, isFirst: isFirst, room, now: now).map(\.lane)
    }

    func give(_ lane: String, at now: Int64) -> Bool {
      guard board.give(lane, now: now) else { return false }
      board.keep(lane, since: now)
      return true
    }

    /// What the host itself would begin.
    func own() -> [String] { board.requests(free: 1, now: 0).map(\.lane) }
  }

  @Test func `only queue keys that bots with free slots may take are read, by their heads`() {
    let test = BoardUnderTest()
    for number in 0..<500 { test.queue(test.lane("other", key: "\(number)"), rank: 0) }
    test.queue("a", rank: 9)
    test.queue("b", rank: 3)
    test.queue(test.lane("other", bot: "b1"), rank: 5)
    #expect(test.scan(test.room("a", "b")) == ["b", "a"])
    #expect(test.scan(test.room("a", bots: "b1")) == [test.lane("other", bot: "b1"), "a"])
    #expect(test.scan(test.room("none")) == [])
    #expect(test.scan(nil, limit: 1_000).count == 503)
    // A scan goes on where it was, and another begins anew.
    #expect(test.scan(test.room("a", "b"), limit: 1) == ["b"])
    #expect(test.scan(test.room("a", "b"), limit: 1, isFirst: false) == ["a"])
    #expect(test.scan(test.room("a", "b"), limit: 1, isFirst: false) == [])
    #expect(test.scan(test.room("a", "b"), limit: 1) == ["b"])
  }

  @Test func `a queue key at its limit is read again once one of its tasks has ended`() {
    let test = BoardUnderTest()
    let (first, second) = (test.lane("a", key: "k"), test.lane("b", key: "k"))
    test.queue(first, rank: 1)
    test.queue(second, rank: 2)
    #expect(test.give(first, at: 0))
    #expect(test.scan(nil) == [])
    #expect(test.scan(nil) == [])
    test.board.ended(first, now: 1)
    // One of them has the room.
    #expect(test.scan(nil, now: 1) == [first])
  }

  @Test func `a rate-limited queue key is read again when the rate permits`() {
    let test = BoardUnderTest()
    var definition = TaskDefinition()
    definition.rate = TaskRate(clamping: 1, period: 1_000)
    let lane = QueueKey(type: "a", definition).name
    test.queue(lane, rank: 1)
    #expect(test.give(lane, at: 10))
    #expect(test.scan(nil, now: 20) == [])
    #expect(test.board.wakeOfBots(now: 20) == 1_010)
    #expect(test.scan(nil, now: 1_010) == [lane])
    #expect(test.board.wakeOfBots(now: 1_010) == nil)
  }

  @Test func `an empty queue key is forgotten, unless something was queued since`() {
    let test = BoardUnderTest()
    test.queue("a", rank: 1)
    let request = test.looked()
    test.queue("a", rank: 5)
    for one in request { test.board.saw(one, head: .some(nil), isFinished: true) }
    #expect(test.board.entries["a"] != nil)
    for one in test.looked() {
      test.board.saw(one, head: .some(nil), isFinished: true)
    }
    #expect(test.board.entries.isEmpty && test.board.bots.count == 0)
    #expect(!test.board.hasWork)
  }

  @Test func `queue keys that are read for a long time leave nothing behind`() {
    let test = BoardUnderTest()
    for number in 0..<5_000 {
      let lane = test.lane("a", key: "\(number)")
      test.queue(lane, rank: Int64(number))
      for one in test.looked() {
        test.board.saw(one, head: .some(nil), isFinished: true)
      }
    }
    #expect(test.board.entries.isEmpty)
    #expect(test.board.bots.tickets < 100 && test.board.bots.looked.count <= 10)
  }

  @Test func `a queue key that becomes the host's isn't read for bots`() {
    let test = BoardUnderTest()
    test.queue("a", rank: 1)
    #expect(!test.board.hasWork)
    test.board.route { _ in true }
    #expect(test.board.hasWork && test.board.bots.count == 0)
    #expect(test.scan(nil) == [])
    #expect(test.own() == ["a"])
    test.board.route { _ in false }
    #expect(test.scan(nil) == ["a"])
    #expect(test.own() == [])
  }
}
