import AgentAssignment
import AgentStore
import TestSupport
import Testing

@testable import AgentTasks

/// What a freed place costs where many queues share it.
@Suite struct QueueCostTests {
  private static let many = 2_000
  /// More than a decision may visit, and less than all queues.
  private static let few = 20

  private static func queueKey(_ type: String, limit: Int64? = 1) -> String {
    var definition = TaskDefinition()
    (definition.concurrencyKey, definition.concurrencyLimit) = ("k", limit)
    return QueueKey(type: type, definition).name
  }

  /// Queues of the host with one key. `filler` has tasks that begin first and may all run.
  private struct QueuesUnderTest {
    var queueLimits = QueueLimits()
    let filler = QueueCostTests.queueKey("filler", limit: 1_000_000)

    mutating func queue(_ name: String, rank: Int64, isOurs: Bool = true) {
      queueLimits.queued(name, rank: rank) { _ in isOurs }
    }

    mutating func run(_ count: Int) {
      queueLimits.took(count, of: filler, next: nil, now: 0)
    }

    /// Begins what one write batch begins. Each queue has one task.
    mutating func begin(free: Int) -> [String] {
      let requests = queueLimits.requests(free: free, now: 0)
      queueLimits.reserve(requests)
      queueLimits.release()
      for request in requests {
        queueLimits.took(1, of: request.queueKey, next: nil, now: 0)
      }
      return requests.map(\.queueKey)
    }
  }

  @Test func `a freed place visits one queue of the types that share it`() {
    var test = QueuesUnderTest()
    for number in 0..<Self.many {
      test.queue(Self.queueKey("type \(number)"), rank: Int64(number))
    }
    #expect(test.begin(free: 4) == [Self.queueKey("type 0")])
    #expect(test.begin(free: 4) == [])
    for number in 1...50 {
      let before = test.queueLimits.visits
      test.queueLimits.ended(Self.queueKey("type \(number - 1)"), now: 0)
      #expect(test.begin(free: 4) == [Self.queueKey("type \(number)")])
      #expect(test.begin(free: 4) == [])
      #expect(test.queueLimits.visits - before < Self.few)
    }
  }

  @Test func `a freed place visits only the limits that it is below`() {
    var test = QueuesUnderTest()
    test.run(Self.many)
    for number in 1...Self.many {
      test.queue(Self.queueKey("a", limit: Int64(number)), rank: Int64(number))
    }
    // No queue's limit exceeds what runs.
    #expect(test.begin(free: 4) == [])
    for number in 0..<50 {
      let before = test.queueLimits.visits
      test.queueLimits.ended(test.filler, now: 0)
      let limit = Int64(Self.many - number)
      // Its limit is the greatest of those that wait, and it is taken away at once.
      #expect(test.begin(free: 4) == [Self.queueKey("a", limit: limit)])
      #expect(test.begin(free: 4) == [])
      test.queueLimits.ended(Self.queueKey("a", limit: limit), now: 0)
      #expect(test.queueLimits.visits - before < Self.few)
    }
  }

  @Test func `a scan for bots visits only the limits that a freed place is below`() {
    var test = QueuesUnderTest()
    test.run(Self.many)
    for number in 1...Self.many {
      test.queue(Self.queueKey("a", limit: Int64(number)), rank: Int64(number), isOurs: false)
    }
    func scan() -> [BotQueues.Request] {
      test.queueLimits.forBots(limit: 10, isFirst: true, freeBots: nil, now: 0)
    }
    #expect(scan().isEmpty)
    for number in 0..<50 {
      let before = test.queueLimits.visits
      test.queueLimits.ended(test.filler, now: 0)
      let name = Self.queueKey("a", limit: Int64(Self.many - number))
      let requests = scan()
      #expect(requests.map(\.queueKey) == [name])
      // A bot takes the only task of the queue.
      let isGiven = test.queueLimits.give(name, now: 0)
      #expect(isGiven)
      test.queueLimits.keep(name, since: 0)
      for request in requests {
        test.queueLimits.finishScan(request, head: .some(nil), isFinished: true)
      }
      #expect(scan().isEmpty)
      test.queueLimits.ended(name, now: 0)
      #expect(test.queueLimits.visits - before < Self.few)
    }
  }

  @Test func `queues that share a limit begin by rank, whatever the order in which they came`() {
    var test = QueuesUnderTest()
    var generator = SeededGenerator(seed: 13)
    for number in (0..<200).shuffled(using: &generator) {
      // Three limits of one key, and several types for each.
      let name = Self.queueKey("type \(number)", limit: Int64(number % 3 + 1))
      test.queue(name, rank: Int64(number))
    }
    var begun: [Int] = []
    var running: [String] = []
    while begun.count < 200 {
      let names = test.begin(free: 1)
      if names.isEmpty {
        guard let first = running.first else { break }
        running.removeFirst()
        test.queueLimits.ended(first, now: 0)
        continue
      }
      for name in names {
        running.append(name)
        let type = QueueKey(name: name).type
        begun.append(Int(type.dropFirst(5)) ?? -1)
      }
    }
    #expect(begun.count == 200)
    // Within each limit by rank.
    for limit in 0..<3 {
      let ranks = begun.filter { $0 % 3 == limit }
      #expect(ranks == ranks.sorted())
    }
  }

  @Test func `many tasks of one key leave no tickets behind`() {
    var test = QueuesUnderTest()
    test.run(1)
    for number in 0..<20_000 {
      // A lesser rank each time, while the limit is reached.
      test.queue(Self.queueKey("a"), rank: Int64(-number))
      _ = test.begin(free: 4)
    }
    #expect(test.queueLimits.tickets < 1_000)
  }
}
