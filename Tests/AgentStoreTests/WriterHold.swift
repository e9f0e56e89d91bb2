import AgentStore
import Dispatch
import Synchronization
import TestSupport

/// Holds the writer's thread, so that what is submitted meanwhile becomes one transaction.
final class WriterHold: Sendable {
  private let reached = DispatchSemaphore(value: 0)
  private let opened = DispatchSemaphore(value: 0)

  /// Returns when the writer is held.
  init(_ store: any Store) {
    store.submit(
      .single,
      { [reached, opened] _ in
        reached.signal()
        opened.wait()
      }, completion: { _ in })
    reached.wait()
  }

  func open() { opened.signal() }
}

/// A write of a group.
struct Write {
  let kind: WriteKind
  let body: @Sendable (any StoreTransaction) throws -> Void

  init(_ kind: WriteKind, _ body: @escaping @Sendable (any StoreTransaction) throws -> Void) {
    self.kind = kind
    self.body = body
  }
}

extension Store {
  /// Commits writes in one transaction. Returns what each failed with, or nil.
  func group(_ writes: [Write]) async throws -> [(any Error)?] {
    let errors = Mutex([(any Error)?](repeating: nil, count: writes.count))
    let answered = Mutex(0)
    let gate = WriterHold(self)
    for (index, one) in writes.enumerated() {
      submit(one.kind, one.body) { result in
        if case .failure(let error) = result { errors.withLock { $0[index] = error } }
        answered.withLock { $0 += 1 }
      }
    }
    gate.open()
    try await wait(while: answered.withLock({ $0 }) < writes.count)
    return errors.withLock { $0 }
  }
}
