/// A notice on its way to a notifier.
public struct DeliveryRow: Sendable, Hashable {
  /// How far it has come.
  public enum State: String, Sendable, CaseIterable {
    /// Waits for its time, or for an earlier notice of its alert.
    case queued
    /// An attempt is under way.
    case sending
    case delivered
    /// The last attempt failed; another one follows.
    case failed
    /// It isn't tried any more.
    case givenUp = "given_up"
  }

  /// The ``kind`` of a notice that only tries a notifier.
  public static let testKind = "test"

  /// Its number, from 1, never given twice; 0 before it is stored.
  public var id: Int64
  /// By this the receiver recognizes a notice that comes twice.
  public let key: String
  /// Nil for a notice that only tries the notifier.
  public let alert: Int64?
  public let notifier: String
  /// The reason: `opened`, `repeated`, …
  public let kind: String
  public var state: State
  /// How many attempts have begun.
  public var attempts: Int64
  /// When the next attempt is due, in Unix milliseconds.
  public var next: Int64
  /// When it was made, in Unix milliseconds.
  public let created: Int64
  /// When it last changed, in Unix milliseconds.
  public var updated: Int64
  /// The error of the last attempt.
  public var error: String?
  /// The content, as JSON.
  public let notice: [UInt8]

  /// Makes a row.
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

/// Selects deliveries. A property that is nil leaves nothing out.
public struct DeliverySelection: Sendable, Hashable {
  public var alert: Int64?
  public var state: DeliveryRow.State?
  public var notifier: String?
  /// Only numbers less than this.
  public var before: Int64?
  /// The most deliveries.
  public var limit: Int

  /// Makes a selection.
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
  /// One delivery, or nil.
  func delivery(_ id: Int64) throws(StoreError) -> DeliveryRow?
  /// Deliveries of a selection, the newest first.
  func deliveries(_ selection: DeliverySelection) throws(StoreError) -> [DeliveryRow]
  /// The numbers of deliveries, by notifier and state.
  func deliveryCounts() throws(StoreError) -> [DeliveryCount]
  /// Whether an attempt to deliver a notice about an alert to a notifier has ever begun.
  func hasTried(alert: Int64, by notifier: String) throws(StoreError) -> Bool
  /// The earliest moment at which a delivery to a notifier that isn't in `without` is due, in Unix
  /// milliseconds; nil when none is. A notice that waits for an earlier one of its alert doesn't
  /// count.
  func nextDelivery(without: Set<String>) throws(StoreError) -> Int64?
  /// The notifiers to which a delivery is due by a moment.
  func notifiersDue(by moment: Int64) throws(StoreError) -> [String]
  /// The deliveries to a notifier that are due, the earliest first, and only the oldest of each
  /// alert that hasn't ended: notices of one alert reach a notifier in their order.
  func due(_ notifier: String, by moment: Int64, limit: Int) throws(StoreError) -> [DeliveryRow]
}

/// Writes deliveries.
public protocol DeliveryStorage: DeliveryReader {
  /// Adds a delivery. Fails with `conflict` when there is one of this key.
  /// - Returns: its number.
  @discardableResult
  func insert(_ delivery: DeliveryRow) throws(StoreError) -> Int64
  /// Writes what can change of a delivery. Fails with `missing` when there is no such delivery.
  func update(_ delivery: DeliveryRow) throws(StoreError)
  /// Queues deliveries again that are marked as being sent and aren't, because the host has ended.
  /// A test is given up instead: it is sent once.
  /// - Parameter busy: the deliveries that are being sent.
  /// - Returns: how many were queued.
  @discardableResult
  func requeueInterrupted(except busy: Set<Int64>, now: Int64) throws(StoreError) -> Int
  /// Called when the wall clock was set back to this moment. Deliveries whose time was counted from
  /// a moment that hasn't come yet are due now.
  func hasten(at moment: Int64) throws(StoreError)
  /// Gives up the deliveries of an alert that haven't been delivered and aren't being sent.
  /// - Returns: how many were given up.
  @discardableResult
  func giveUp(alert: Int64, because reason: String, now: Int64) throws(StoreError) -> Int
  /// Removes deliveries that ended before a moment and whose alert is resolved or gone, at most
  /// `limit`.
  /// - Returns: how many were removed.
  func remove(endedBefore moment: Int64, limit: Int) throws(StoreError) -> Int
  /// Keeps the `most` deliveries that ended last, and removes the others, at most `limit` of them.
  /// - Returns: how many were removed.
  func remove(endedBeyond most: Int, limit: Int) throws(StoreError) -> Int
}
