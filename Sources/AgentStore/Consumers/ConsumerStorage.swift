/// A durable consumer of the event log and its acknowledged position.
public struct ConsumerRow: Sendable, Hashable {
  public let name: String
  /// The last acknowledged position. The consumer continues after it.
  public let position: Int64
  /// The time of registration in Unix milliseconds.
  public let created: Int64
  /// The time of the last acknowledgement in Unix milliseconds.
  public let updated: Int64
}

/// Reads durable consumers.
public protocol ConsumerReader: AnyObject {
  /// Returns a consumer, or `nil` if there is none with this name.
  func consumer(_ name: String) throws(StoreError) -> ConsumerRow?
  /// Returns all consumers, sorted by name.
  func consumers() throws(StoreError) -> [ConsumerRow]
  /// Returns the least acknowledged position, or `nil` without consumers. Events after it are still
  /// needed.
  func oldestPosition() throws(StoreError) -> Int64?
}

/// Writes durable consumers of the log.
public protocol ConsumerStorage: ConsumerReader {
  /// Adds a consumer that starts after `position`, unless the name exists.
  /// - Returns: the stored consumer.
  /// - Throws: `invalid` for an empty name.
  func register(_ name: String, after position: Int64, now: Int64) throws(StoreError) -> ConsumerRow

  /// Moves a consumer's position forward. A position less than the current one changes nothing.
  /// - Returns: the acknowledged position.
  /// - Throws: `missing` if the consumer isn't registered.
  @discardableResult
  func acknowledge(_ name: String, through position: Int64, now: Int64) throws(StoreError) -> Int64

  /// Removes a consumer.
  /// - Returns: false if there was no such consumer.
  @discardableResult
  func remove(_ name: String) throws(StoreError) -> Bool
}
