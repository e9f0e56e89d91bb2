/// The storages that a write sees and changes. Valid within the closure that got it, on its thread.
public protocol StoreTransaction: AnyObject {
  var events: any EventStorage { get }
  /// Durable consumers and their positions.
  var consumers: any ConsumerStorage { get }
  var state: any StateStorage { get }
  var tokens: any TokenStorage { get }
  var users: any UserStorage { get }
  var audit: any AuditStorage { get }
  var alerts: any AlertStorage { get }
  /// Notices on their way.
  var deliveries: any DeliveryStorage { get }
  /// Answers to requests with idempotency keys.
  var idempotencyKeys: any IdempotencyKeyStorage { get }
  var tasks: any TaskStorage { get }
  var bots: any BotStorage { get }
  /// Tasks that bots were given.
  var assignments: any AssignmentStorage { get }
  var schedules: any ScheduleStorage { get }

  /// Calls `action` once the transaction is durable, and never when it fails. It runs on the
  /// writer's thread, before the write itself is answered, in the order of these calls. It must be
  /// quick.
  func afterCommit(_ action: @escaping @Sendable () -> Void)
}

/// The storages that a read sees, all in one state. Valid within the closure that got it, on its
/// thread.
public protocol StoreSnapshot: AnyObject {
  var events: any EventReader { get }
  /// Durable consumers and their positions.
  var consumers: any ConsumerReader { get }
  var state: any StateReader { get }
  var tokens: any TokenReader { get }
  var users: any UserReader { get }
  var audit: any AuditReader { get }
  var alerts: any AlertReader { get }
  /// Notices on their way.
  var deliveries: any DeliveryReader { get }
  /// Answers to requests with idempotency keys.
  var idempotencyKeys: any IdempotencyKeyReader { get }
  var tasks: any TaskReader { get }
  var bots: any BotReader { get }
  /// Tasks that bots were given.
  var assignments: any AssignmentReader { get }
  var schedules: any ScheduleReader { get }
}
