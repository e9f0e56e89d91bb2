/// The delivery of a notice to a notifier.
public struct DeliveryRow: Sendable, Hashable {
  /// The states of a delivery.
  public enum State: String, Sendable, CaseIterable {
    /// It waits for its time, or for a former notice of the same alert.
    case queued
    /// An attempt is in progress.
    case sending
    case delivered
    /// The last attempt failed. Another one follows.
    case failed
    /// No further attempt is made.
    case givenUp = "given_up"
  }

  /// The ``kind`` of a notice that tests a notifier.
  public static let testKind = "test"

  /// The number, from 1. Numbers aren't reused. 0 before the delivery is stored.
  public var id: Int64
  /// The key by which the receiver recognizes a notice that is delivered twice.
  public let key: String
  /// The alert; `nil` for a test of the notifier.
  public let alert: Int64?
  public let notifier: String
  /// The reason: `opened`, `repeated`, …
  public let kind: String
  public var state: State
  /// The number of attempts that have begun.
  public var attempts: Int64
  /// The time when the next attempt is due, in Unix milliseconds.
  public var next: Int64
  /// The time of creation in Unix milliseconds.
  public let created: Int64
  /// The time of the last change in Unix milliseconds.
  public var updated: Int64
  /// The error of the last attempt.
  public var error: String?
  /// The content as JSON.
  public let notice: [UInt8]

  /// Creates a row.
  public init(
    id: Int64 = 0, key: String, alert: Int64?, notifier: String, kind: String,
    state: State = .queued, attempts: Int64 = 0, next: Int64, created: Int64, updated: Int64,
    error: String? = nil, notice: [UInt8]
  ) {
    self.id = id
    self.key = key
    self.alert = alert
    self.notifier = notifier
    self.kind = kind
    self.state = state
    self.attempts = attempts
    self.next = next
    self.created = created
    self.updated = updated
    self.error = error
    self.notice = notice
  }
}

/// Selects deliveries. A property that is `nil` doesn't restrict the selection.
public struct DeliverySelection: Sendable, Hashable {
  public var alert: Int64?
  public var state: DeliveryRow.State?
  public var notifier: String?
  /// Only numbers less than this.
  public var before: Int64?
  /// The largest number of deliveries.
  public var limit: Int

  /// Creates a selection.
  public init(
    alert: Int64? = nil, state: DeliveryRow.State? = nil, notifier: String? = nil,
    before: Int64? = nil, limit: Int = 100
  ) {
    self.alert = alert
    self.state = state
    self.notifier = notifier
    self.before = before
    self.limit = limit
  }
}

/// The number of a notifier's deliveries in a state.
public struct DeliveryCount: Sendable, Hashable {
  public let notifier: String
  public let state: DeliveryRow.State
  public let count: Int
}

/// Reads deliveries.
public protocol DeliveryReader: AnyObject {
  /// Returns a delivery, or `nil` if there is none with this number.
  func delivery(_ id: Int64) throws(StoreError) -> DeliveryRow?
  /// Returns the selected deliveries, the newest first.
  func deliveries(_ selection: DeliverySelection) throws(StoreError) -> [DeliveryRow]
  /// Returns the number of deliveries by notifier and state.
  func deliveryCounts() throws(StoreError) -> [DeliveryCount]
  /// Returns whether an attempt to deliver a notice about an alert to a notifier has ever begun.
  func hasTried(alert: Int64, by notifier: String) throws(StoreError) -> Bool
  /// Returns the earliest time at which a delivery is due, in Unix milliseconds, or `nil` if none
  /// is. It ignores the notifiers in `without` and notices that wait for a former notice of the
  /// same alert.
  func nextDelivery(without: Set<String>) throws(StoreError) -> Int64?
  /// Returns the notifiers with a delivery that is due at `moment`.
  func notifiersDue(by moment: Int64) throws(StoreError) -> [String]
  /// Returns the deliveries to a notifier that are due, the earliest first. For each alert, it
  /// returns only the oldest delivery that hasn't ended, so that the notices of an alert reach a
  /// notifier in their order.
  func due(_ notifier: String, by moment: Int64, limit: Int) throws(StoreError) -> [DeliveryRow]
}

/// Writes deliveries.
public protocol DeliveryStorage: DeliveryReader {
  /// Adds a delivery.
  /// - Returns: its number.
  /// - Throws: `conflict` if the key exists.
  @discardableResult
  func insert(_ delivery: DeliveryRow) throws(StoreError) -> Int64
  /// Updates the mutable properties of a delivery.
  /// - Throws: `missing` if there is no such delivery.
  func update(_ delivery: DeliveryRow) throws(StoreError)
  /// Requeues deliveries that are marked as being sent but aren't, because the host ended during
  /// the attempt. A test is given up instead, because it is sent only once.
  /// - Parameter busy: the deliveries that are being sent.
  /// - Returns: the number of requeued deliveries.
  @discardableResult
  func requeueInterrupted(except busy: Set<Int64>, now: Int64) throws(StoreError) -> Int
  /// Makes deliveries due whose time was computed from a time after `moment`. Called when the wall
  /// clock was set back to `moment`, in Unix milliseconds.
  func hasten(at moment: Int64) throws(StoreError)
  /// Gives up the deliveries of an alert that are neither delivered nor being sent.
  /// - Returns: the number of deliveries that were given up.
  @discardableResult
  func giveUp(alert: Int64, because reason: String, now: Int64) throws(StoreError) -> Int
  /// Removes at most `limit` deliveries that ended before a time and whose alert is resolved or
  /// removed.
  /// - Returns: the number of removed deliveries.
  func remove(endedBefore moment: Int64, limit: Int) throws(StoreError) -> Int
  /// Removes ended deliveries, except the `most` latest ones. It removes at most `limit` of them.
  /// - Returns: the number of removed deliveries.
  func remove(endedBeyond most: Int, limit: Int) throws(StoreError) -> Int
}
