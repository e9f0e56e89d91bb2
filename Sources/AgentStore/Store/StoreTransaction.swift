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
  var events: any EventReading { get }
  /// Durable consumers and their positions.
  var consumers: any ConsumerReading { get }
  var state: any StateReading { get }
  var tokens: any TokenReading { get }
  var users: any UserReading { get }
  var audit: any AuditReading { get }
  var alerts: any AlertReading { get }
  /// Notices on their way.
  var deliveries: any DeliveryReading { get }
  /// Answers to requests with idempotency keys.
  var idempotencyKeys: any IdempotencyKeyReader { get }
  var tasks: any TaskReading { get }
  var bots: any BotReading { get }
  /// Tasks that bots were given.
  var assignments: any AssignmentReading { get }
  var schedules: any ScheduleReading { get }
}
