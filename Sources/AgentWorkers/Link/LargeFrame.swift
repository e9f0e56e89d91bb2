internal import AgentWorkerProtocol
internal import Dispatch
internal import Synchronization

/// A long frame on its way through the thread that parses those of all workers.
///
/// The loop makes it, and one thread parses it: that one, or the loop itself when the worker has
/// ended and the time for its last frames is over.
final class LargeFrame: Sendable {
  /// What is left for the loop when the frame has been parsed.
  enum Outcome {
    case actions([HostAction])
    case failed(WorkerSocket.Failure)
  }

  /// The size of its body in bytes.
  let size: Int
  private let head: Frame
  private let body: DescriptorBody?
  private let isTaken = Atomic(false)
  private let outcome = Mutex(Outcome.actions([]))
  private let isParsed = DispatchSemaphore(value: 0)

  /// - Parameter body: where the body is if the frame doesn't have it.
  init(_ frame: Frame, body: DescriptorBody? = nil) {
    head = frame
    self.body = body
    size = body?.size ?? frame.body.count
  }

  /// Whether the caller is the one who parses it. True once. Any thread.
  func begin() -> Bool { !isTaken.exchange(true, ordering: .relaxed) }

  /// The frame with its body, which occupies memory from then on.
  func frame() throws(WorkerSocket.Failure) -> Frame {
    guard let body else { return head }
    return head.resolving(try body.read())
  }

  /// Keeps what is left for the loop. Called once, by the thread that has parsed it.
  func end(_ outcome: Outcome) {
    self.outcome.withLock { $0 = outcome }
    isParsed.signal()
  }

  /// Waits for the thread that parses it, which waits for nothing. Once, and only where
  /// ``begin()`` was false.
  func wait() { isParsed.wait() }

  /// What is left for the loop, once. Called after ``end(_:)``.
  func takeOutcome() -> Outcome {
    outcome.withLock { outcome in
      defer { outcome = .actions([]) }
      return outcome
    }
  }
}
