import CAgentModule

/// The module's side of a subscription. Both functions are called on the module thread; after
/// `closed` neither is called again.
///
/// Rationale: the struct is the module's and valid until `closed` returns; `@unchecked` because
/// Swift can't know that of a C pointer.
public final class EventSubscriber: @unchecked Sendable {
  private let subscriber: UnsafePointer<agent_subscriber_v1>

  init(_ subscriber: UnsafePointer<agent_subscriber_v1>) {
    self.subscriber = subscriber
  }

  /// Hands over a batch, a JSON array. [module-thread]
  public func events(_ subscription: UInt64, batch: [UInt8], dropped: UInt64) {
    withBytes(batch) {
      subscriber.pointee.events?(subscriber.pointee.ctx, subscription, $0, dropped)
    }
  }

  /// Says that the subscription is over. Once. [module-thread]
  public func closed(_ subscription: UInt64, status: ModuleStatus, message: String) {
    withBytes(Array(message.utf8)) {
      subscriber.pointee.closed?(subscriber.pointee.ctx, subscription, status.rawValue, $0)
    }
  }
}
