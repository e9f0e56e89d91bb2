/// What one stream of a client holds. It counts until ``close()`` or the release of this object.
public final class StreamAccount: Sendable {
  let budget: StreamBudget

  init(_ budget: StreamBudget) {
    self.budget = budget
  }

  deinit { close() }

  /// Counts events that wait for the stream, or that wait no longer.
  func hold(_ change: Int) {
    if change != 0 { budget.hold(change, for: ObjectIdentifier(self)) }
  }

  /// Counts text that its client must take.
  public func began(writing bytes: Int) { budget.write(bytes, for: ObjectIdentifier(self)) }

  /// The client has taken the text.
  public func wrote() { budget.write(0, for: ObjectIdentifier(self)) }

  /// The stream has ended. Calls after the first have no effect.
  public func close() { budget.close(ObjectIdentifier(self)) }
}
