/// The storages of a write. Valid only within the closure that receives it, on its thread.
public protocol StoreTransaction: AnyObject {
  var events: any EventStorage { get }
  /// Durable consumers and their positions.
  var consumers: any ConsumerStorage { get }
  var state: any StateStorage { get }
  var tokens: any TokenStorage { get }
  var users: any UserStorage { get }
  var audit: any AuditStorage { get }
  var alerts: any AlertStorage { get }
  /// The deliveries of notices.
  var deliveries: any DeliveryStorage { get }
  /// The responses to requests with idempotency keys.
  var idempotencyKeys: any IdempotencyKeyStorage { get }
  var tasks: any TaskStorage { get }
  var bots: any BotStorage { get }
  /// The assignments of tasks to bots.
  var assignments: any AssignmentStorage { get }
  var schedules: any ScheduleStorage { get }

  /// Registers an action that is called when the transaction is durable. It isn't called if the
  /// transaction fails.
  ///
  /// Actions run on the writer's thread, before the completion of the write, in the order of these
  /// calls. They must return quickly.
  func afterCommit(_ action: @escaping @Sendable () -> Void)
}

/// The storages of a read, all in the same state. Valid only within the closure that receives it,
/// on its thread.
public protocol StoreSnapshot: AnyObject {
  var events: any EventReader { get }
  /// Durable consumers and their positions.
  var consumers: any ConsumerReader { get }
  var state: any StateReader { get }
  var tokens: any TokenReader { get }
  var users: any UserReader { get }
  var audit: any AuditReader { get }
  var alerts: any AlertReader { get }
  /// The deliveries of notices.
  var deliveries: any DeliveryReader { get }
  /// The responses to requests with idempotency keys.
  var idempotencyKeys: any IdempotencyKeyReader { get }
  var tasks: any TaskReader { get }
  var bots: any BotReader { get }
  /// The assignments of tasks to bots.
  var assignments: any AssignmentReader { get }
  var schedules: any ScheduleReader { get }
}
