/// The storages that a write sees and changes. Valid within the closure that got it, on its thread.
public protocol StoreTransaction: AnyObject {
  /// The event log.
  var events: any EventStorage { get }
  /// Durable consumers and their positions.
  var consumers: any ConsumerStorage { get }
  /// The key-value store.
  var state: any StateStorage { get }
  /// Tokens.
  var tokens: any TokenStorage { get }
  /// Users.
  var users: any UserStorage { get }
  /// The audit log.
  var audit: any AuditStorage { get }
  /// Alerts.
  var alerts: any AlertStorage { get }
  /// Notices on their way.
  var deliveries: any DeliveryStorage { get }
  /// Answers to requests with idempotency keys.
  var replies: any ReplyStorage { get }
  /// Tasks.
  var tasks: any TaskStorage { get }
  /// Bots.
  var bots: any BotStorage { get }
  /// What bots were given.
  var assignments: any AssignmentStorage { get }
  /// Schedules.
  var schedules: any ScheduleStorage { get }

  /// Calls `action` once the transaction is durable, and never when it fails. It runs on the
  /// writer's thread, before the write itself is answered, in the order of these calls. It must be
  /// quick.
  func afterCommit(_ action: @escaping @Sendable () -> Void)
}

/// The storages that a read sees, all in one state. Valid within the closure that got it, on its
/// thread.
public protocol StoreSnapshot: AnyObject {
  /// The event log.
  var events: any EventReading { get }
  /// Durable consumers and their positions.
  var consumers: any ConsumerReading { get }
  /// The key-value store.
  var state: any StateReading { get }
  /// Tokens.
  var tokens: any TokenReading { get }
  /// Users.
  var users: any UserReading { get }
  /// The audit log.
  var audit: any AuditReading { get }
  /// Alerts.
  var alerts: any AlertReading { get }
  /// Notices on their way.
  var deliveries: any DeliveryReading { get }
  /// Answers to requests with idempotency keys.
  var replies: any ReplyReading { get }
  /// Tasks.
  var tasks: any TaskReading { get }
  /// Bots.
  var bots: any BotReading { get }
  /// What bots were given.
  var assignments: any AssignmentReading { get }
  /// Schedules.
  var schedules: any ScheduleReading { get }
}
