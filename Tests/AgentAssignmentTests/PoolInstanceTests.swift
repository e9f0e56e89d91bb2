import AgentAssignment
import Testing

/// Which instances of a pool are started, drained and stopped.
@Suite struct PoolInstanceTests {
  private static let policy = PoolPolicy(
    min: 1, max: 3, targetQueueTime: 1_000, growAfter: 2_000, shrinkAfter: 5_000)

  /// A pool on a clock of seconds, whose instances do as they are told at once.
  private struct Model {
    var pool = Pool(PoolInstanceTests.policy)
    var now: Int64 = 0
    var up: Set<Int> = []
    var log: [Pool.Action] = []

    mutating func second(queued: Int = 0, load: [Int: Int] = [:]) {
      now += 1_000
      let seen = Pool.Observation(queued: queued, load: load, serviceTime: 1_000)
      for action in pool.look(seen, at: now) {
        log.append(action)
        switch action {
        case .start(let number): up.insert(number)
        case .stop(let number):
          #expect((load[number] ?? 0) == 0, "A task was cut off.")
          up.remove(number)
          pool.stopped(number)
        case .drain, .resume: break
        }
      }
    }
  }

  @Test func `a pool starts with the minimum, grows with the queue and stops at the maximum`() {
    var model = Model()
    model.second()
    #expect(model.log == [.start(1)] && model.up == [1])
    for _ in 0..<20 { model.second(queued: 50, load: [1: 1, 2: 1, 3: 1]) }
    #expect(model.up == [1, 2, 3] && model.pool.reason == .queue)
    #expect(model.log == [.start(1), .start(2), .start(3)])
  }

  @Test func `an instance that isn't needed is drained, then stopped when it is idle`() {
    var model = Model()
    for _ in 0..<10 { model.second(queued: 50, load: [1: 1, 2: 1, 3: 1]) }
    // Instance 2 is long at its last one; the others have nothing.
    for _ in 0..<60 { model.second(load: [2: 1]) }
    #expect(model.up.contains(2) && model.up.count <= 2)
    for _ in 0..<60 { model.second() }
    #expect(model.up.count == 1 && model.pool.instances.values.allSatisfy { $0 == .working })
    #expect(model.pool.nextLook(after: .init(queued: 0), at: model.now) == nil)
  }

  @Test func `a draining instance is used again before another is started`() {
    var model = Model()
    for _ in 0..<10 { model.second(queued: 50, load: [1: 1, 2: 1, 3: 1]) }
    // Little to do: some are drained, but have something left.
    while !model.log.contains(where: { if case .drain = $0 { true } else { false } }) {
      model.second(load: [1: 1, 2: 0, 3: 0])
      if model.now > 1_000_000 { break }
    }
    let draining = model.pool.instances.filter { $0.value == .draining }.keys.sorted()
    #expect(!draining.isEmpty)
    let load = Dictionary(uniqueKeysWithValues: draining.map { ($0, 1) })
    for _ in 0..<10 { model.second(queued: 50, load: load.merging([1: 1]) { $1 }) }
    #expect(draining.allSatisfy { model.log.contains(.resume($0)) })
    #expect(model.log.count { if case .start = $0 { true } else { false } } == 3)
  }

  @Test func `a failed instance counts and is started again after a pause`() {
    var model = Model()
    model.second()
    model.pool.failed(1, at: model.now)
    model.second()
    #expect(model.log == [.start(1)], "It isn't tried without a pause.")
    #expect(model.pool.nextLook(after: .init(queued: 0), at: model.now) != nil)
    for _ in 0..<2 { model.second() }
    #expect(model.log == [.start(1), .start(1)])
  }

  @Test func `a changed policy applies at once`() {
    var model = Model()
    for _ in 0..<10 { model.second(queued: 50, load: [1: 1, 2: 1, 3: 1]) }
    model.pool.apply(PoolPolicy(min: 0, max: 1, targetQueueTime: 1_000, shrinkAfter: 1_000))
    #expect(model.pool.instances.keys.sorted() == [1])
    for _ in 0..<60 { model.second() }
    #expect(model.up.isDisjoint(with: [1]) && model.pool.instances.isEmpty)
  }
}
