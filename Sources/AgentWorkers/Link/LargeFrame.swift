internal import AgentWorkerProtocol
internal import Dispatch
internal import Synchronization

/// A long frame that is parsed on the thread of long frames, which serves all workers.
///
/// The loop creates it. Either the thread of long frames parses it, or the loop's thread does. The
/// loop's thread parses it if the link is closed before the other thread has begun.
final class LargeFrame: Sendable {
  /// The result of the parsing, which the loop's thread processes.
  enum Outcome {
    case actions([HostAction])
    case failed(WorkerSocket.Failure)
  }

  /// The size of the body in bytes.
  let size: Int
  private let head: Frame
  private let body: DescriptorBody?
  private let isTaken = Atomic(false)
  private let outcome = Mutex(Outcome.actions([]))
  private let isParsed = DispatchSemaphore(value: 0)

  /// Creates a frame that isn't parsed yet.
  /// - Parameter body: the body in a descriptor, or `nil` if `frame` contains the body.
  init(_ frame: Frame, body: DescriptorBody? = nil) {
    head = frame
    self.body = body
    size = body?.size ?? frame.body.count
  }

  /// Returns whether the caller must parse the frame. Only the first call returns true. Any thread.
  func begin() -> Bool { !isTaken.exchange(true, ordering: .relaxed) }

  /// Returns the frame with its body. The body is read now and occupies memory from then on.
  /// - Throws: `.breach` if the body can't be read.
  func frame() throws(WorkerSocket.Failure) -> Frame {
    guard let body else { return head }
    return head.resolving(try body.read())
  }

  /// Stores the result for the loop's thread. Called once, by the thread that has parsed the frame.
  func end(_ outcome: Outcome) {
    self.outcome.withLock { $0 = outcome }
    isParsed.signal()
  }

  /// Waits until another thread has parsed the frame. That thread waits for nothing. Called at most
  /// once, and only after ``begin()`` has returned false.
  func wait() { isParsed.wait() }

  /// Returns and removes the result. Called after ``end(_:)``.
  func takeOutcome() -> Outcome {
    outcome.withLock { outcome in
      defer { outcome = .actions([]) }
      return outcome
    }
  }
}
