public import AgentJSON
public import AgentStore
internal import Synchronization

extension EventBus {
  /// Stores the host's own events in the transaction of the change that they tell of: they are there when it is, and
  /// aren't when it isn't, whatever crashes. They are delivered once it is durable.
  ///
  /// On the thread that stores. Without a log they are published once the change is durable.
  /// - Throws: what an event that isn't valid, or the database, fails with: the change fails, too.
  public func append(
    _ objects: [JSONObject], source: String, to transaction: any StoreTransaction
  ) throws {
    // Nobody but the host has a transaction.
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
