import AgentSystem
import Dispatch
import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)), .serialized) struct FileWorkTests {
  /// Work that blocks a thread until the test lets it go on.
  private final class Block: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    func wait() { semaphore.wait() }
    func end(_ count: Int = 1) { for _ in 0..<count { semaphore.signal() } }
  }

  @Test func `the result of work that ends in time is returned`() async throws {
    #expect(try await FileWork.run(for: "test", within: .seconds(600)) { 7 } == 7)
  }

  @Test func `work that doesn't end in time is given up, and other work goes on`() async throws {
    let block = Block()
    await #expect(throws: FileWork.Failure.late) {
      try await FileWork.run(
        for: "test", within: .seconds(30), pause: { #expect($0 == .seconds(30)) }
      ) { block.wait() }
    }
    #expect(try await FileWork.run(for: "test", within: .seconds(600)) { 2 } == 2)
    block.end()
  }

  @Test func `threads that nobody waits for are bounded, and others have their own`() async throws {
    let block = Block()
    for _ in 0..<FileWork.maxThreads {
      await #expect(throws: FileWork.Failure.late) {
        try await FileWork.run(for: "test", within: .seconds(1), pause: { _ in }) { block.wait() }
      }
    }
    await #expect(throws: FileWork.Failure.tooManyThreads) {
      try await FileWork.run(for: "test", within: .seconds(600)) { 3 }
    }
    #expect(try await FileWork.run(for: "other", within: .seconds(600)) { 3 } == 3)
    block.end(FileWork.maxThreads)
    try await eventually("the threads have ended") {
      (try? await FileWork.run(for: "test", within: .seconds(600)) { 4 }) == 4
    }
  }

  @Test func `work without a thread says so, and takes no place of other work`() async throws {
    let error = DetachedThread.StartError(number: EAGAIN)
    for _ in 0...FileWork.maxThreads {
      await #expect(throws: FileWork.Failure.noThread(error)) {
        try await FileWork.run(
          for: "refused", within: .seconds(600),
          start: { _ throws(DetachedThread.StartError) in throw error }
        ) { 5 }
      }
    }
    #expect(try await FileWork.run(for: "refused", within: .seconds(600)) { 5 } == 5)
  }
}
