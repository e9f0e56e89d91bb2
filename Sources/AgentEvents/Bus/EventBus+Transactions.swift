public import AgentJSON
public import AgentStore
internal import Synchronization

extension EventBus {
  /// Stores the host's own events in the transaction of the change that they report. They are
  /// stored exactly if the change is, even after a crash, and are delivered once it is durable.
  ///
  /// Called on the store's thread. Without a log they are published once the change is durable.
  /// - Throws: `EventError` for an invalid event, `StoreError` from the database. Then the change
  ///   fails too.
  public func append(
    _ objects: [JSONObject], source: String, to transaction: any StoreTransaction
  ) throws {
    // Only the host has a transaction, so the host is the publisher.
    var drafts = try drafts(of: objects, source: source, by: .host)
    guard state.withLock({ $0.store }) != nil else {
      return transaction.afterCommit { [weak self, drafts] in self?.acceptPatiently(drafts) { _ in }
      }
    }
    let rows = drafts.indices.map { drafts[$0].row() }
    let positions = try transaction.events.append(rows)
    transaction.afterCommit { [weak self, drafts] in
      self?.deliver(drafts, at: positions) { _ in }
    }
  }
}
