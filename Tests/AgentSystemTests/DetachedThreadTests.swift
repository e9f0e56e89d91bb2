import Glibc
import Synchronization
import Testing

@testable import AgentSystem

@Suite(.timeLimit(.minutes(5))) struct DetachedThreadTests {
  private final class Resource: Sendable {}

  @Test func `a thread has its name and does its work once`() async throws {
    let runs = Atomic(0)
    let caller = UInt(pthread_self())
    let (name, isOther): (String, Bool) = try await withCheckedThrowingContinuation {
      continuation in
      do {
        try DetachedThread.start("a-name-of-15-by", stackSize: 256 << 10) {
          runs.add(1, ordering: .relaxed)
          continuation.resume(returning: (Self.threadName(), UInt(pthread_self()) != caller))
        }
      } catch {
        continuation.resume(throwing: error)
      }
    }
    #expect(name == "a-name-of-15-by" && isOther)
    #expect(runs.load(ordering: .relaxed) == 1)
  }

  @Test func `a longer name is cut`() async throws {
    let name: String = try await withCheckedThrowingContinuation { continuation in
      do {
        try DetachedThread.start("a-name-of-more-bytes") {
          continuation.resume(returning: Self.threadName())
        }
      } catch {
        continuation.resume(throwing: error)
      }
    }
    #expect(name == "a-name-of-more-")
  }

  @Test func `a thread that the system refuses is an error, and its work is given up`() {
    weak var kept: Resource?
    do {
      let resource = Resource()
      kept = resource
      // No address space has a stack of this size, and none may have one of a byte.
      for size in [1 << 60, 1] {
        #expect(throws: DetachedThread.StartError.self) {
          try DetachedThread.start("refused", stackSize: size) { [resource] in
            withExtendedLifetime(resource) { _ = Issue.record("it runs") }
          }
        }
      }
    }
    let isKept = kept != nil
    #expect(!isKept)
    #expect(DetachedThread.StartError(number: ENOENT).description == "No such file or directory")
  }

  private static func threadName() -> String {
    let file = open("/proc/thread-self/comm", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(file, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count - 1)), as: UTF8.self)
  }
}
