import AgentAssignment
import TestSupport
import Testing

/// A pool that is simulated second by second: tasks come, wait, run, and end.
private struct Simulation {
  var controller: PoolController
  var random: SeededGenerator
  var concurrency: Int
  /// Milliseconds that a task takes on average.
  var service = 2_000.0
  var queue: [Int64] = []
  var ends: [Int64] = []
  var instances = 0
  var sizes: [Int] = []
  var waits: [Int64] = []
  private var now: Int64 = 0

  init(_ policy: PoolPolicy, seed: UInt64) {
    controller = PoolController(policy)
    concurrency = policy.concurrency
    random = SeededGenerator(seed: seed)
  }

  /// Runs for a number of seconds, with `rate` tasks a second.
  mutating func run(seconds: Int, rate: Double) {
    for _ in 0..<seconds {
      for _ in 0..<10 {
        now += 100
        ends.removeAll { $0 <= now }
        if Double.random(in: 0..<1, using: &random) < rate / 10 { queue.append(now) }
        while !queue.isEmpty, ends.count < instances * concurrency {
          waits.append(now - queue.removeFirst())
          ends.append(now + Int64(service * Double.random(in: 0.5...1.5, using: &random)))
        }
      }
      let seen = PoolController.Observation(
        queued: queue.count, running: ends.count, instances: instances, serviceTime: service)
      instances = controller.wanted(seen, at: now).instances
      sizes.append(instances)
    }
  }

  /// How often the size went from less to more or back.
  static func turns(_ sizes: some Collection<Int>) -> Int {
    let steps = zip(sizes, sizes.dropFirst()).map { $1 - $0 }.filter { $0 != 0 }
    return zip(steps, steps.dropFirst()).filter { ($0 > 0) != ($1 > 0) }.count
  }
}

struct PoolTests {
  private let policy = PoolPolicy(min: 1, max: 20, targetQueueTime: 4_000)

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `a pool under steady load finds its size and keeps it`(seed: UInt64) {
    var simulation = Simulation(policy, seed: seed)
    simulation.run(seconds: 300, rate: 2)
    simulation.run(seconds: 1_200, rate: 2)
    // 2 tasks a second of 2 s each need 4 instances.
    let settled = simulation.sizes.suffix(1_200)
    #expect(settled.allSatisfy { (4...8).contains($0) }, "\(Set(settled))")
    #expect(Simulation.turns(settled) == 0, "\(Simulation.turns(settled))")
    let late = simulation.waits.suffix(2_000)
    #expect(late.filter { $0 > 4_000 }.count < late.count / 50)
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `a pool follows a burst up and down again`(seed: UInt64) {
    var simulation = Simulation(policy, seed: seed)
    simulation.run(seconds: 200, rate: 0.4)
    let before = simulation.instances
    simulation.run(seconds: 200, rate: 6)
    let during = simulation.instances
    simulation.run(seconds: 400, rate: 0.4)
    #expect(before <= 3 && during >= 12 && simulation.instances <= 3)
    #expect(Simulation.turns(simulation.sizes) <= 5, "\(simulation.sizes)")
  }

  @Test func `an idle pool shrinks to the minimum, and the first task makes it grow`() {
    var controller = PoolController(PoolPolicy(min: 0, max: 5, targetQueueTime: 1_000))
    func wanted(queued: Int, running: Int, instances: Int, now: Int64) -> Int {
      controller.wanted(
        .init(queued: queued, running: running, instances: instances, serviceTime: nil), at: now
      ).instances
    }
    #expect(wanted(queued: 0, running: 0, instances: 0, now: 0) == 0)
    #expect(wanted(queued: 1, running: 0, instances: 0, now: 1_000) == 1)
    #expect(wanted(queued: 0, running: 0, instances: 1, now: 2_000) == 1)
    #expect(wanted(queued: 0, running: 0, instances: 1, now: 61_999) == 1)
    #expect(wanted(queued: 0, running: 0, instances: 1, now: 62_000) == 0)
  }

  @Test func `a pool grows with the queue within its bounds, and not twice at once`() {
    var controller = PoolController(policy)
    func wanted(queued: Int, instances: Int, now: Int64) -> Int {
      controller.wanted(
        .init(queued: queued, running: instances, instances: instances, serviceTime: 2_000), at: now
      ).instances
    }
    // (2 running + 10 × 2 s / 4 s) = 7.
    #expect(wanted(queued: 10, instances: 2, now: 0) == 7)
    #expect(wanted(queued: 100, instances: 7, now: 9_999) == 7)
    #expect(wanted(queued: 100, instances: 7, now: 10_000) == 20)
    #expect(wanted(queued: 1_000_000, instances: 20, now: 30_000) == 20)
    #expect(wanted(queued: 0, instances: 25, now: 40_000) == 20)
  }

  @Test func `numbers beyond all bounds don't trap, and a clock that steps back does no harm`() {
    var controller = PoolController(policy)
    let seen = PoolController.Observation(
      queued: .max, running: .max, instances: 3, serviceTime: .greatestFiniteMagnitude)
    #expect(controller.wanted(seen, at: .max).instances == 20)
    #expect(controller.wanted(seen, at: .min).instances == 20)
    let odd = PoolController.Observation(queued: -1, running: -1, instances: -1, serviceTime: .nan)
    #expect(odd.serviceTime == nil && odd.queued == 0)
    #expect(controller.wanted(odd, at: 0).instances == 1)
    #expect(PoolPolicy(min: 9, max: 3, targetQueueTime: 0).max == 9)
  }
}
