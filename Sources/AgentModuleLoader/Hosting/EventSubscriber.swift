import CAgentModule

/// The module's side of a subscription. Both functions are called on the module thread, and neither
/// after `closed`.
///
/// Rationale: the module's struct is valid until `closed` returns. `@unchecked` is necessary
/// because the compiler can't know that of a C pointer.
public final class EventSubscriber: @unchecked Sendable {
  private let subscriber: UnsafePointer<agent_subscriber_v1>

  init(_ subscriber: UnsafePointer<agent_subscriber_v1>) {
    self.subscriber = subscriber
  }

  /// Delivers a batch of events as a JSON array. [module-thread]
  public func events(_ subscription: UInt64, batch: [UInt8], dropped: UInt64) {
    withBytes(batch) {
      subscriber.pointee.events?(subscriber.pointee.ctx, subscription, $0, dropped)
    }
  }

  /// Reports the end of the subscription. Called once. [module-thread]
  public func closed(_ subscription: UInt64, status: ModuleStatus, message: String) {
    withBytes(Array(message.utf8)) {
      subscriber.pointee.closed?(subscriber.pointee.ctx, subscription, status.rawValue, $0)
    }
  }
}
