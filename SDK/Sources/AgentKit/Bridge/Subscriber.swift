internal import CAgentModule

/// The functions that the host calls for one subscription. Keeps itself alive from ``borrowed()``
/// until `closed`.
///
/// Rationale for `@unchecked`: the C struct is written once, in `init`, and lent to the host, which
/// calls it on the module thread only.
final class Subscriber: @unchecked Sendable {
  private let batches: AsyncThrowingStream<EventBatch, any Error>.Continuation
  private let table: UnsafeMutablePointer<agent_subscriber_v1>

  init(_ batches: AsyncThrowingStream<EventBatch, any Error>.Continuation) {
    self.batches = batches
    self.table = .allocate(capacity: 1)
  }

  deinit {
    table.deallocate()
  }

  /// Lends the table to the host, together with this object.
  func borrowed() -> UnsafePointer<agent_subscriber_v1> {
    table.initialize(
      to: agent_subscriber_v1(
        size: UInt32(MemoryLayout<agent_subscriber_v1>.size),
        ctx: Unmanaged.passRetained(self).toOpaque(),
        events: { ctx, _, batch, dropped in
          guard let ctx else { return }
          Unmanaged<Subscriber>.fromOpaque(ctx).takeUnretainedValue().deliver(batch, dropped)
        },
        closed: { ctx, _, status, message in
          guard let ctx else { return }
          Unmanaged<Subscriber>.fromOpaque(ctx).takeRetainedValue().end(status, message)
        }))
    return UnsafePointer(table)
  }

  /// Ends the loan when the host didn't accept the subscription.
  func returnCredit() {
    if let ctx = table.pointee.ctx { Unmanaged<Subscriber>.fromOpaque(ctx).release() }
  }

  private func deliver(_ batch: agent_bytes, _ dropped: UInt64) {
    do {
      let document = try JSONDocument(parsing: copied(batch))
      batches.yield(try EventBatch(document.root, dropped: dropped))
    } catch {
      batches.finish(
        throwing: ModuleError(.failed, "The host sent events that can't be read.", cause: error))
    }
  }

  private func end(_ status: agent_status, _ message: agent_bytes) {
    if status == agent_status(AGENT_OK) {
      batches.finish()
    } else {
      batches.finish(throwing: ModuleError(status: status, message: copiedText(message)))
    }
  }
}
