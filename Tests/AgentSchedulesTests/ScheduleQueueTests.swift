import AgentSchedules
import TestSupport
import Testing

@Suite("The queue of schedules")
struct ScheduleQueueTests {
  @Test func `a queue returns due ids, earliest first, and the next wake-up`() {
    var queue = ScheduleQueue<String>()
    #expect(queue.nextTime == nil && queue.isEmpty)
    queue.set("b", at: 20)
    queue.set("a", at: 10)
    queue.set("c", at: 30)
    #expect(queue.nextTime == 10)
    #expect(queue.due(at: 9).isEmpty)
    #expect(queue.due(at: 20).map(\.id) == ["a", "b"])
    #expect(queue.nextTime == 30 && queue.count == 1)
  }

  @Test func `times are changed and ids removed`() {
    var queue = ScheduleQueue<Int>()
    for id in 0..<10 { queue.set(id, at: Int64(id)) }
    queue.set(9, at: -1)
    queue.set(0, at: 100)
    #expect(queue.time(of: 0) == 100)
    #expect(queue.remove(5) && !queue.remove(5))
    #expect(queue.time(of: 5) == nil)
    #expect(queue.due(at: 50, limit: 3).map(\.id) == [9, 1, 2])
    #expect(queue.due(at: 100).map(\.id) == [3, 4, 6, 7, 8, 0])
    #expect(queue.isEmpty)
  }

  @Test func `a queue equals a sorted list after any changes`() {
    var random = SeededGenerator(seed: 7)
    var queue = ScheduleQueue<Int>()
    var model: [Int: Int64] = [:]
    for _ in 0..<20_000 {
      let id = Int.random(in: 0..<200, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        #expect(queue.remove(id) == (model.removeValue(forKey: id) != nil))
      case 1 where !model.isEmpty:
        let now = Int64.random(in: 0..<1000, using: &random)
        let due = queue.due(at: now, limit: 3)
        #expect(due.map(\.time) == Array(model.values.filter { $0 <= now }.sorted().prefix(3)))
        for entry in due { #expect(model.removeValue(forKey: entry.id) == entry.time) }
      default:
        let time = Int64.random(in: 0..<1000, using: &random)
        queue.set(id, at: time)
        model[id] = time
      }
      #expect(queue.count == model.count)
      #expect(queue.nextTime == model.values.min())
    }
  }
}
