/// A notice on its way to a notifier.
public struct DeliveryRow: Sendable, Hashable {
  /// How far it has come.
  public enum State: String, Sendable, CaseIterable {
    /// It waits for its turn.
    case queued
    /// The notifier has it.
    case sending
    /// The notifier took it.
    case delivered
    /// It failed and is tried again.
    case failed
    /// It failed and isn't tried any more.
    case givenUp = "given_up"
  }

  /// The ``kind`` of a notice that only tries a notifier.
  public static let testKind = "test"

  /// Its number, from 1, never given twice; 0 before it is stored.
  public var id: Int64
  /// What the receiver recognizes it by when it comes twice.
  public let key: String
  /// The alert; nil for a notice that only tries the notifier.
  public let alert: Int64?
  /// The notifier.
  public let notifier: String
  /// Why: `opened`, `repeated`, …
  public let kind: String
  /// How far it has come.
  public var state: State
  /// How often it was tried.
  public var attempts: Int64
  /// When it is to be tried (again), in Unix milliseconds.
  public var next: Int64
  /// When it was made, in Unix milliseconds.
  public let created: Int64
  /// When it last changed, in Unix milliseconds.
  public var updated: Int64
  /// What the last attempt failed with.
  public var error: String?
  /// What is delivered, JSON.
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

/// Which deliveries are asked for. What is nil doesn't matter.
public struct DeliverySelection: Sendable, Hashable {
  /// Of this alert.
  public var alert: Int64?
  /// In this state.
  public var state: DeliveryRow.State?
  /// To this notifier.
  public var notifier: String?
  /// With a lesser number than this.
  public var before: Int64?
  /// At most so many.
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

/// How many deliveries a notifier has in a state.
public struct DeliveryCount: Sendable, Hashable {
  /// The notifier.
  public let notifier: String
  /// The state.
  public let state: DeliveryRow.State
  /// How many.
  public let count: Int
}

/// Reads deliveries.
public protocol DeliveryReading: AnyObject {
  /// One delivery, or nil.
  func delivery(_ id: Int64) throws(StoreError) -> DeliveryRow?
  /// Deliveries of a selection, the newest first.
  func deliveries(_ selection: DeliverySelection) throws(StoreError) -> [DeliveryRow]
  /// How many there are, by notifier and state.
  func deliveryCounts() throws(StoreError) -> [DeliveryCount]
  /// Whether a notice about an alert was ever handed to a notifier, whatever became of it.
  func hasTried(alert: Int64, by notifier: String) throws(StoreError) -> Bool
  /// The earliest moment at which one to a notifier that isn't in `without` is to be tried; nil when
  /// none is. What waits for an earlier one of its alert doesn't count.
  func nextDelivery(without: Set<String>) throws(StoreError) -> Int64?
  /// The notifiers for which something is due.
  func notifiersDue(by moment: Int64) throws(StoreError) -> [String]
  /// What is due for a notifier, the earliest first. Of each alert it is the oldest that hasn't
  /// ended: notices of one alert reach a notifier in their order.
  func due(_ notifier: String, by moment: Int64, limit: Int) throws(StoreError) -> [DeliveryRow]
}

/// Deliveries.
public protocol DeliveryStorage: DeliveryReading {
  /// Adds one.
  /// - Returns: its number.
  @discardableResult
  func insert(_ delivery: DeliveryRow) throws(StoreError) -> Int64
  /// Changes what can change. Fails with `missing` when there is no such delivery.
  func update(_ delivery: DeliveryRow) throws(StoreError)
  /// Queues again what is marked as being sent and isn't, such as when the host has ended. A test is
  /// given up instead: it is to be sent once.
  /// - Parameter busy: those that are being sent.
  /// - Returns: how many were queued.
  @discardableResult
  func requeueInterrupted(except busy: Set<Int64>, now: Int64) throws(StoreError) -> Int
  /// The wall clock was set back to this moment: what was to be tried at a later one, because of a
  /// time that hasn't come yet, is due now.
  func hasten(at moment: Int64) throws(StoreError)
  /// Gives up what notifiers haven't been handed yet, or haven't taken, of an alert.
  /// - Returns: how many.
  @discardableResult
  func giveUp(alert: Int64, because reason: String, now: Int64) throws(StoreError) -> Int
  /// Removes deliveries that ended before a moment, and whose alert is over or gone; at most `limit`.
  /// - Returns: how many.
  func remove(endedBefore moment: Int64, limit: Int) throws(StoreError) -> Int
  /// Removes the oldest that have ended, beyond so many; at most `limit`.
  /// - Returns: how many.
  func remove(endedBeyond most: Int, limit: Int) throws(StoreError) -> Int
}
