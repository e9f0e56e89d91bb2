/// What one stream of a client, or one subscription of a worker, holds. It counts until ``close()``
/// or the release of this object.
public final class StreamAccount: Sendable {
  let budget: StreamBudget

  init(_ budget: StreamBudget) {
    self.budget = budget
  }

  /// The maximum size of its queue of events, in bytes.
  /// - Parameter counted: what the queue holds as far as it was counted by ``hold(_:)``.
  /// - Parameter usesReserve: whether it may use the reserve although events wait in it.
  func queueBytes(holding counted: Int, usesReserve: Bool = false) -> Int {
    budget.queueBytes(holding: counted, usesReserve: usesReserve)
  }

  /// Whether the budget has space for more.
  public var hasSpace: Bool { budget.hasSpace }

  deinit { close() }

  /// Counts events that wait for the stream, or that wait no longer.
  public func hold(_ change: Int) {
    if change != 0 { budget.hold(change, for: ObjectIdentifier(self)) }
  }

  /// Counts text that its client must take.
  public func began(writing bytes: Int) { budget.write(bytes, for: ObjectIdentifier(self)) }

  /// The client has taken the text.
  public func wrote() { budget.write(0, for: ObjectIdentifier(self)) }

  /// The stream has ended. Calls after the first have no effect.
  public func close() { budget.close(ObjectIdentifier(self)) }
}
