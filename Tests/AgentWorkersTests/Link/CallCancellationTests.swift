import Testing

@testable import AgentWorkers

/// What a cancellation does, by what came before it.
@Suite struct CallCancellationTests {
  @Test func `a call that began is cancelled by its number, once`() {
    let cancellation = CallCancellation()
    #expect(!cancellation.began(7))
    #expect(cancellation.cancel(isOverdue: true) == 7)
    #expect(cancellation.cancel() == nil)
    #expect(cancellation.isOverdue)
  }

  @Test func `a call that was cancelled before it had a number is cancelled when it begins`() {
    let cancellation = CallCancellation()
    #expect(cancellation.cancel() == nil)
    #expect(cancellation.began(7))
    #expect(!cancellation.isOverdue)
  }

  @Test func `a time-out after the result changes nothing`() {
    let cancellation = CallCancellation()
    #expect(!cancellation.began(7))
    cancellation.end()
    #expect(cancellation.cancel(isOverdue: true) == nil)
    #expect(!cancellation.isOverdue)
    #expect(cancellation.hasEnded)
  }

  @Test func `a result after the time-out is overdue`() {
    let cancellation = CallCancellation()
    #expect(!cancellation.began(7))
    #expect(cancellation.cancel(isOverdue: true) == 7)
    #expect(!cancellation.hasEnded)
    cancellation.end()
    #expect(cancellation.isOverdue)
    #expect(cancellation.hasEnded)
  }

  @Test func `a call that ended before it was told its number isn't cancelled`() {
    let cancellation = CallCancellation()
    cancellation.end()
    #expect(!cancellation.began(7))
    #expect(cancellation.cancel() == nil)
  }
}
