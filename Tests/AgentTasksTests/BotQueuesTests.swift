import AgentAssignment
import AgentStore
import Testing

@testable import AgentTasks

/// The choice of queues that a scan for bots reads.
@Suite struct BotQueuesTests {
  private final class QueuesUnderTest {
    var queueLimits = QueueLimits()

    func freeBots(_ types: String..., bots: String...) -> FreeBots {
      var roster = BotRoster()
      let work = BotCapability(name: "c", taskTypes: types)
      roster.register(
        Bot(id: "any", definition: BotDefinition(name: "any", capabilities: [work]), registered: 0))
      for bot in bots {
        roster.register(Bot(id: bot, definition: BotDefinition(name: bot), registered: 0))
      }
      return roster.standing.freeBots
    }

    func queueKey(_ type: String, bot: String? = nil, key: String? = nil) -> String {
      var definition = TaskDefinition()
      (definition.bot, definition.concurrencyKey) = (bot, key)
      return QueueKey(type: type, definition).name
    }

    func queue(_ queueKey: String, rank: Int64) {
      queueLimits.queued(queueKey, rank: rank) { _ in false }
    }

    func looked(
      limit: Int = 10, isFirst: Bool = true, _ freeBots: FreeBots? = nil, now: Int64 = 0
    ) -> [BotQueues.Request] {
      queueLimits.forBots(limit: limit, isFirst: isFirst, freeBots: freeBots, now: now)
    }

    func scan(
      _ freeBots: FreeBots?, limit: Int = 10, isFirst: Bool = true, now: Int64 = 0
    ) -> [String] {
      looked(limit: limit, isFirst: isFirst, freeBots, now: now).map(\.queueKey)
    }

    func give(_ queueKey: String, at now: Int64) -> Bool {
      guard queueLimits.give(queueKey, now: now) else { return false }
      queueLimits.keep(queueKey, since: now)
      return true
    }

    /// What the host itself would begin.
    func own() -> [String] { queueLimits.requests(free: 1, now: 0).map(\.queueKey) }
  }

  @Test func `only queue keys that bots with free slots may take are read, by their heads`() {
    let test = QueuesUnderTest()
    for number in 0..<500 { test.queue(test.queueKey("other", key: "\(number)"), rank: 0) }
    test.queue("a", rank: 9)
    test.queue("b", rank: 3)
    test.queue(test.queueKey("other", bot: "b1"), rank: 5)
    #expect(test.scan(test.freeBots("a", "b")) == ["b", "a"])
    #expect(test.scan(test.freeBots("a", bots: "b1")) == [test.queueKey("other", bot: "b1"), "a"])
    #expect(test.scan(test.freeBots("none")) == [])
    #expect(test.scan(nil, limit: 1_000).count == 503)
    // A scan goes on where it was, and another begins anew.
    #expect(test.scan(test.freeBots("a", "b"), limit: 1) == ["b"])
    #expect(test.scan(test.freeBots("a", "b"), limit: 1, isFirst: false) == ["a"])
    #expect(test.scan(test.freeBots("a", "b"), limit: 1, isFirst: false) == [])
    #expect(test.scan(test.freeBots("a", "b"), limit: 1) == ["b"])
  }

  @Test func `a queue key at its limit is read again once one of its tasks has ended`() {
    let test = QueuesUnderTest()
    let (first, second) = (test.queueKey("a", key: "k"), test.queueKey("b", key: "k"))
    test.queue(first, rank: 1)
    test.queue(second, rank: 2)
    #expect(test.give(first, at: 0))
    #expect(test.scan(nil) == [])
    #expect(test.scan(nil) == [])
    test.queueLimits.ended(first, now: 1)
    // One of them has the capacity.
    #expect(test.scan(nil, now: 1) == [first])
  }

  @Test func `a rate-limited queue key is read again when the rate permits`() {
    let test = QueuesUnderTest()
    var definition = TaskDefinition()
    definition.rate = TaskRate(clamping: 1, period: 1_000)
    let queueKey = QueueKey(type: "a", definition).name
    test.queue(queueKey, rank: 1)
    #expect(test.give(queueKey, at: 10))
    #expect(test.scan(nil, now: 20) == [])
    #expect(test.queueLimits.wakeOfBots(now: 20) == 1_010)
    #expect(test.scan(nil, now: 1_010) == [queueKey])
    #expect(test.queueLimits.wakeOfBots(now: 1_010) == nil)
  }

  @Test func `an empty queue key is forgotten, unless something was queued since`() {
    let test = QueuesUnderTest()
    test.queue("a", rank: 1)
    let request = test.looked()
    test.queue("a", rank: 5)
    for one in request { test.queueLimits.finishScan(one, head: .some(nil), isFinished: true) }
    #expect(test.queueLimits.entries["a"] != nil)
    for one in test.looked() {
      test.queueLimits.finishScan(one, head: .some(nil), isFinished: true)
    }
    #expect(test.queueLimits.entries.isEmpty && test.queueLimits.bots.count == 0)
    #expect(!test.queueLimits.hasWork)
  }

  @Test func `queue keys that are read for a long time leave nothing behind`() {
    let test = QueuesUnderTest()
    for number in 0..<5_000 {
      let queueKey = test.queueKey("a", key: "\(number)")
      test.queue(queueKey, rank: Int64(number))
      for one in test.looked() {
        test.queueLimits.finishScan(one, head: .some(nil), isFinished: true)
      }
    }
    #expect(test.queueLimits.entries.isEmpty)
    #expect(test.queueLimits.bots.tickets < 100 && test.queueLimits.bots.looked.count <= 10)
  }

  @Test func `a queue key that becomes the host's isn't read for bots`() {
    let test = QueuesUnderTest()
    test.queue("a", rank: 1)
    #expect(!test.queueLimits.hasWork)
    test.queueLimits.route { _ in true }
    #expect(test.queueLimits.hasWork && test.queueLimits.bots.count == 0)
    #expect(test.scan(nil) == [])
    #expect(test.own() == ["a"])
    test.queueLimits.route { _ in false }
    #expect(test.scan(nil) == ["a"])
    #expect(test.own() == [])
  }
}
