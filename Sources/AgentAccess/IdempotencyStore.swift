public import AgentStore
internal import AgentSystem
internal import Synchronization

/// The answers to requests with an idempotency key. Such a request runs once, and each repetition
/// gets the first answer.
///
/// A request is stored before it runs. If the host ends in between, its progress is unknown. A
/// repetition then gets an error and doesn't run.
public final class IdempotencyStore: Sendable {
  /// The decision on a request with a key.
  public enum Admission: Sendable {
    /// The key is new. Run the request, then call `finish` or `abandon`.
    case new
    /// The request was answered before.
    case answered(IdempotencyKeyRow)
    /// The request ran, but its answer was too large to be stored.
    case notKept
    /// The request is running.
    case underWay
    /// The progress of the request is unknown. The host ended while it ran, or the request failed
    /// half-way.
    case interrupted
    /// The key was used for another request.
    case different
  }

  /// How long answers are kept, in milliseconds.
  public static let lifetime: Int64 = 24 * 3_600_000
  /// The maximum size of a stored answer, in bytes. For a larger one only the fact that it was
  /// given is stored.
  public static let maxReplyBytes = 1 << 20
  /// The maximum size of all answers, in bytes. The oldest are removed first.
  public static let maxTotalBytes: Int64 = 64 << 20
  /// How many answers one write removes, so that other writes don't wait long.
  private static let removedAtOnce = 1000
  /// The maximum size of a key, in bytes.
  public static let maxKeyBytes = 255

  private struct Name: Hashable {
    let principal: String
    let key: String
  }

  private let store: any Store
  private let now: @Sendable () -> Int64
  private let steady: (@Sendable () -> Duration)?
  private let isTrusted: @Sendable () -> Bool
  private let working = Mutex<Set<Name>>([])
  private let watch = Mutex(ClockWatch())

  /// Makes the idempotency store of a store.
  /// - Parameters:
  ///   - now: Unix milliseconds.
  ///   - steady: a clock that only runs forward, which shows that `now` was set; nil if jumps
  ///     aren't noticed.
  ///   - isTrusted: whether ages may be computed by `now`, by other evidence.
  public init(
    _ store: any Store, now: @escaping @Sendable () -> Int64,
    steady: (@Sendable () -> Duration)? = nil,
    isTrusted: @escaping @Sendable () -> Bool = { true }
  ) {
    self.store = store
    self.now = now
    self.steady = steady
    self.isTrusted = isTrusted
    // The sample that the first request is compared with.
    _ = trustsClock()
  }

  /// Whether ages may be computed by the clock. A clock that was set forward by mistake would
  /// remove every key, and requests that are repeated would run twice.
  private func trustsClock() -> Bool {
    if let steady {
      // Read within the lock: a sample from before another thread's would look like a jump back.
      let isSteady = watch.withLock { $0.trusts(ClockSample(wall: now, steady: steady)) }
      guard isSteady else { return false }
    }
    return isTrusted()
  }

  /// Admits a request, and stores it if its key is new.
  /// - Parameter request: the bytes that identify the request: method, path and body.
  public func admit(
    _ principal: String, key: String, request: [UInt8]
  ) async throws -> Admission {
    let name = Name(principal: principal, key: key)
    // A running request is stored without an answer, as an interrupted one is. Only this set
    // distinguishes them.
    guard working.withLock({ $0.insert(name).inserted }) else { return .underWay }
    do {
      let admission = try await written(name, Digest.of(request))
      if case .new = admission { return .new }
      ended(name)
      return admission
    } catch {
      ended(name)
      throw error
    }
  }

  private func written(_ name: Name, _ fingerprint: [UInt8]) async throws -> Admission {
    let moment = now()
    let removesExpired = trustsClock()
    return try await store.write { transaction in
      if removesExpired {
        try transaction.idempotencyKeys.removeExpiredKeys(before: moment.subtracting(Self.lifetime))
      }
      guard let known = try transaction.idempotencyKeys.reply(name.principal, name.key) else {
        try transaction.idempotencyKeys.insert(
          IdempotencyKeyRow(
            principal: name.principal, key: name.key, fingerprint: fingerprint, created: moment))
        return .new
      }
      if known.fingerprint != fingerprint { return .different }
      if known.status == nil { return .interrupted }
      return known.isKept ? .answered(known) : .notKept
    }
  }

  /// Stores the answer to an admitted request.
  public func finish(
    _ principal: String, key: String, status: Int, contentType: String, body: [UInt8]
  ) async throws {
    defer { ended(Name(principal: principal, key: key)) }
    let isKept = body.count + contentType.utf8.count <= Self.maxReplyBytes
    let row = IdempotencyKeyRow(
      principal: principal, key: key, fingerprint: [], created: 0, status: status,
      contentType: isKept ? contentType : "", body: isKept ? body : [], isKept: isKept)
    try await store.write { transaction in
      try transaction.idempotencyKeys.finish(row)
      try Self.removeOldest(transaction.idempotencyKeys)
    }
  }

  /// Removes the oldest answers until the total fits its limit.
  private static func removeOldest(_ idempotencyKeys: any IdempotencyKeyStorage) throws(StoreError)
  {
    for _ in 0..<removedAtOnce where try idempotencyKeys.replyBytes() > maxTotalBytes {
      guard try idempotencyKeys.removeOldestKey() else { return }
    }
  }

  /// Removes an admitted request that changed nothing. It may be sent again.
  public func abandon(_ principal: String, key: String) async throws {
    defer { ended(Name(principal: principal, key: key)) }
    try await store.write { try $0.idempotencyKeys.removeKey(principal, key) }
  }

  /// Keeps an admitted request whose progress is unknown. While answers are kept, a repetition gets
  /// an error and doesn't run.
  public func interrupt(_ principal: String, key: String) {
    ended(Name(principal: principal, key: key))
  }

  private func ended(_ name: Name) {
    working.withLock { _ = $0.remove(name) }
  }
}
