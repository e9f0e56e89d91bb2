/// A durable consumer: a name, and how far it has acknowledged the log.
public struct ConsumerRow: Sendable, Hashable {
  public let name: String
  /// The last position that it has acknowledged; it goes on after it.
  public let position: Int64
  /// When it was registered, in Unix milliseconds.
  public let created: Int64
  /// When it last acknowledged, in Unix milliseconds.
  public let updated: Int64
}

/// Reads durable consumers.
public protocol ConsumerReader: AnyObject {
  /// One consumer, or nil.
  func consumer(_ name: String) throws(StoreError) -> ConsumerRow?
  /// All of them, sorted by name.
  func consumers() throws(StoreError) -> [ConsumerRow]
  /// The least acknowledged position; events after it are still needed. Nil without consumers.
  func oldestPosition() throws(StoreError) -> Int64?
}

/// Writes durable consumers of the log.
public protocol ConsumerStorage: ConsumerReader {
  /// Adds a consumer that starts after `position`, unless there is one of this name. Fails with
  /// `invalid` for an empty name.
  /// - Returns: the consumer as it is now.
  func register(_ name: String, after position: Int64, now: Int64) throws(StoreError) -> ConsumerRow

  /// Moves a consumer's position forwards. A lesser position than the present one changes nothing.
  ///
  /// Fails with `missing` for a consumer that isn't registered.
  /// - Returns: the position that is acknowledged now.
  @discardableResult
  func acknowledge(_ name: String, through position: Int64, now: Int64) throws(StoreError) -> Int64

  /// Forgets a consumer.
  /// - Returns: whether there was one.
  @discardableResult
  func remove(_ name: String) throws(StoreError) -> Bool
}
