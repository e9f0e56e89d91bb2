import AgentWorkerProtocol
import Testing

@Suite struct SendingLackTests {
  private let start = ContinuousClock.now

  /// Whether each attempt that fails, at these times after the start, is followed by another.
  private func isTriedAgain(_ lack: inout SendingLack, after times: Duration...) -> [Bool] {
    times.map { lack.occurred(at: start + $0) }
  }

  @Test func `sending is tried again for half a minute and no longer`() {
    var lack = SendingLack()
    #expect(!lack.isPresent)
    let patience = SendingLack.patience
    let again = isTriedAgain(&lack, after: .zero, patience - .nanoseconds(1), patience)
    #expect(again == [true, true, false])
    #expect(lack.isPresent)
  }

  @Test func `a lack that has passed doesn't count for the next one`() {
    var lack = SendingLack()
    let first = isTriedAgain(&lack, after: .zero)
    lack.passed()
    #expect(!lack.isPresent)
    let second = isTriedAgain(&lack, after: SendingLack.patience)
    #expect(first + second == [true, true])
  }
}
