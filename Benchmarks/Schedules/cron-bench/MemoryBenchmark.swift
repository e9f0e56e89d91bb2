import AgentSchedules
import BenchSupport
import Glibc

/// How much memory 100,000 schedules take, with the queue that says which is next.
enum MemoryBenchmark {
  private static let count = RunLength.choose(full: 100_000, short: 1_000)
  private static let targetMB = 30.0

  static func report() throws {
    let zones = TimeZoneDatabase()
    let names = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Tokyo"]
    let before = try ResidentMemory.bytes()
    var schedules: [Schedule] = []
    var queue = ScheduleQueue<Int32>()
    for index in 0..<count {
      let expression = try CronExpression("\(index % 60) \(index / 60 % 24) * * \(index % 7)")
      let schedule = try Schedule(
        id: "schedule-\(index)", timing: .cron(expression),
        zone: try zones.zone(named: names[index % names.count]), jitter: 60_000)
      schedules.append(schedule)
      if let next = schedule.next(after: 1_793_491_200_000) { queue.set(Int32(index), at: next) }
    }
    let used = Double(try ResidentMemory.bytes() - before) / 1_000_000
    guard queue.count == count, schedules.count == count else {
      throw BenchError("schedules are missing")
    }
    let size =
      "an expression has \(MemoryLayout<CronExpression>.stride) bytes, a schedule \(MemoryLayout<Schedule>.stride)"
    let target = RunLength.isShort ? "" : " (target at most \(Int(targetMB)) MB)"
    print(
      "\(count) schedules and their queue: \((used * 10).rounded() / 10) MB\(target); \(size)")
    if used > targetMB, !RunLength.isShort { throw BenchError("a target is missed") }
    try reportQueue(&queue, schedules)
  }

  /// What each wake-up costs: take what is due, ask for its next time, put it back.
  private static func reportQueue(_ queue: inout ScheduleQueue<Int32>, _ schedules: [Schedule])
    throws
  {
    var fired = 0
    let began = clock()
    let wanted = RunLength.choose(full: 200_000, short: 1_000)
    while fired < wanted, let time = queue.nextTime {
      for (id, time) in queue.due(at: time) {
        fired += 1
        if let next = schedules[Int(id)].next(after: time) { queue.set(id, at: next) }
      }
    }
    let took = Double(clock() - began) / Double(CLOCKS_PER_SEC) * 1_000_000_000 / Double(fired)
    print("a fire among them, next time and queue included: \(Int(took)) ns")
  }
}
