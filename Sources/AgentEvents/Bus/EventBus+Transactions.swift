public import AgentJSON
public import AgentStore
internal import Synchronization

extension EventBus {
  /// Stores the host's own events in the transaction of the change that they report. They are
  /// stored exactly when the change is, whatever crashes, and are delivered once it is durable.
  ///
  /// Called on the store's thread. Without a log they are published once the change is durable.
  /// - Throws: `EventError` for an event that isn't valid, `StoreError` from the database. The
  ///   change fails then, too.
  public func append(
    _ objects: [JSONObject], source: String, to transaction: any StoreTransaction
  ) throws {
    // By the host: nobody else has a transaction.
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
