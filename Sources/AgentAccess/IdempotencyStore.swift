public import AgentStore
internal import AgentSystem
internal import Synchronization

/// Requests that may be sent again: with an idempotency key of their sender's, what was asked once
/// is done once, and every repetition gets the first answer.
///
/// A request is written down before it is worked on. When the host ends in between, nobody knows how
/// far it got: a repetition is told so, instead of being done twice.
public final class IdempotencyStore: Sendable {
  /// How a request with a key may go on.
  public enum Admission: Sendable {
    /// It is new: work on it, then `finish` or `abandon` it.
    case new
    /// It was answered before.
    case answered(ReplyRow)
    /// It was done, but its answer was too large to be kept.
    case notKept
    /// It is worked on right now.
    case underWay
    /// Nobody knows how far it got: the host ended meanwhile, or it failed half-way.
    case interrupted
    /// The key was used for another request.
    case different
  }

  /// How long answers are kept, in milliseconds.
  public static let lifetime: Int64 = 24 * 3_600_000
  /// How many bytes one answer may have; of a larger one it is kept only that it was given.
  public static let maxReplyBytes = 1 << 20
  /// How many bytes all answers may take together; the oldest go first.
  public static let maxTotalBytes: Int64 = 64 << 20
  /// How many are removed with one write: other writes wait no longer.
  private static let removedAtOnce = 1000
  /// The longest key.
  public static let longestKey = 255

  private struct Name: Hashable {
    let principal: String
    let key: String
  }

  private let store: any Store
  private let now: @Sendable () -> Int64
  private let working = Mutex<Set<Name>>([])

  /// The answers in a store.
  public init(_ store: any Store, now: @escaping @Sendable () -> Int64) {
    self.store = store
    self.now = now
  }

  /// Whether a request is to be worked on; it is written down when it is.
  /// - Parameter request: its bytes: method, path, body.
  public func admit(
    _ principal: String, key: String, request: [UInt8]
  ) async throws -> Admission {
    let name = Name(principal: principal, key: key)
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
    return try await store.write { transaction in
      try transaction.replies.removeReplies(before: moment.subtracting(Self.lifetime))
      guard let known = try transaction.replies.reply(name.principal, name.key) else {
        try transaction.replies.insert(
          ReplyRow(
            principal: name.principal, key: name.key, fingerprint: fingerprint, created: moment))
        return .new
      }
      if known.fingerprint != fingerprint { return .different }
      if known.status == nil { return .interrupted }
      return known.isKept ? .answered(known) : .notKept
    }
  }

  /// Keeps the answer to a request that was admitted.
  public func finish(
    _ principal: String, key: String, status: Int, contentType: String, body: [UInt8]
  ) async throws {
    defer { ended(Name(principal: principal, key: key)) }
    let isKept = body.count + contentType.utf8.count <= Self.maxReplyBytes
    let row = ReplyRow(
      principal: principal, key: key, fingerprint: [], created: 0, status: status,
      contentType: isKept ? contentType : "", body: isKept ? body : [], isKept: isKept)
    try await store.write { transaction in
      try transaction.replies.finish(row)
      try Self.removeOldest(transaction.replies)
    }
  }

  /// Makes room, down to what all answers may take.
  private static func removeOldest(_ replies: any ReplyStorage) throws(StoreError) {
    for _ in 0..<removedAtOnce where try replies.replyBytes() > maxTotalBytes {
      guard try replies.removeOldestReply() else { return }
    }
  }

  /// Forgets a request that was admitted and changed nothing: it may come again.
  public func abandon(_ principal: String, key: String) async throws {
    defer { ended(Name(principal: principal, key: key)) }
    try await store.write { try $0.replies.removeReply(principal, key) }
  }

  /// Keeps a request that was admitted and ended in a way that doesn't say how far it got. A
  /// repetition is told so for as long as answers are kept, instead of being done twice.
  public func interrupt(_ principal: String, key: String) {
    ended(Name(principal: principal, key: key))
  }

  private func ended(_ name: Name) {
    working.withLock { _ = $0.remove(name) }
  }
}
