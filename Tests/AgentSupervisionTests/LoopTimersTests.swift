import Synchronization
import Testing

// The order of timers can be tested without a clock only from inside.
@testable import AgentSupervision

@Suite struct LoopTimersTests {
  @Test func `timers fire in the order in which they are due, cancelled ones never`() {
    var timers = LoopTimers()
    let called = Mutex<[Int]>([])
    var cancelled: [LoopTimer] = []
    for number in 0..<300 {
      let due = LoopInstant(nanoseconds: Int64(number * 7919 % 300))
      let timer = timers.insert(due: due) { called.withLock { $0.append(number) } }
      if number % 3 != 0 { cancelled.append(timer) }
    }
    for timer in cancelled { timers.cancel(timer) }
    while let call = timers.popDue(at: LoopInstant(nanoseconds: 149)) { call() }
    let expected = (0..<300).filter { $0 % 3 == 0 && $0 * 7919 % 300 < 150 }
    #expect(called.withLock { $0 } == expected.sorted { $0 * 7919 % 300 < $1 * 7919 % 300 })
    #expect(timers.next() == LoopInstant(nanoseconds: 150))
  }

  @Test func `timers that are due together fire in the order of their calls`() {
    var timers = LoopTimers()
    let called = Mutex<[Int]>([])
    for number in 0..<50 {
      _ = timers.insert(due: LoopInstant(nanoseconds: 1)) { called.withLock { $0.append(number) } }
    }
    while let call = timers.popDue(at: LoopInstant(nanoseconds: 1)) { call() }
    #expect(called.withLock { $0 } == Array(0..<50))
  }
}
