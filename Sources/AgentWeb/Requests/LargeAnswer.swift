internal import AgentEvents
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import NIOCore
internal import Synchronization

/// Counts the answers that their clients haven't read yet, together with the streams.
///
/// Rationale: an answer may have megabytes, and one client may have hundreds of connections. The
/// limits of a connection's pace alone would let a client that doesn't read fill the memory first.
enum LargeAnswer {
  /// A smaller answer isn't counted. A connection takes one part beyond what its client has read.
  static let partSize = 64 << 10

  /// Enters an answer into the budget until its client has taken it.
  /// - Parameters:
  ///   - slot: is kept as long.
  ///   - end: ends the client's connection. It must not block.
  static func account(
    _ response: inout Response, in budget: StreamBudget,
    keeping slot: LargeAnswerShares.Slot? = nil, end: @escaping @Sendable () -> Void
  ) {
    guard let length = response.body.contentLength, length > partSize else { return }
    let account = budget.account(end)
    account.began(writing: length)
    let body = response.body
    response.body = ResponseBody(contentLength: length) { writer in
      // The body holds the slot, which is released when the body was sent or is dropped unread.
      defer { withExtendedLifetime(slot) {} }
      try await body.write(AccountedWriter(writer: writer, account: account, left: length))
    }
  }
}

/// Bounds how many large answers each principal waits for or hasn't taken, so that the others get
/// theirs.
final class LargeAnswerShares: Sendable {
  /// The most of one principal.
  static let most = 16
  private let counts = Mutex<[String: Int]>([:])

  /// Counts until it is released.
  final class Slot: Sendable {
    private let shares: LargeAnswerShares
    private let principal: String

    fileprivate init(_ shares: LargeAnswerShares, _ principal: String) {
      self.shares = shares
      self.principal = principal
    }

    deinit { shares.release(principal) }
  }

  /// Takes a slot of a principal.
  /// - Throws: a problem if the principal has all of its slots.
  func slot(for principal: String) throws(APIProblem) -> Slot {
    let isTaken = counts.withLock { counts in
      guard counts[principal, default: 0] < Self.most else { return false }
      counts[principal, default: 0] += 1
      return true
    }
    guard isTaken else {
      var problem = APIProblem(
        .tooManyRequests, code: "too_many_answers",
        message: "You wait for \(Self.most) long responses, or haven't read them yet.")
      problem.headers[.retryAfter] = "1"
      throw problem
    }
    return Slot(self, principal)
  }

  private func release(_ principal: String) {
    counts.withLock { counts in
      let left = (counts[principal] ?? 1) - 1
      counts[principal] = left > 0 ? left : nil
    }
  }
}

/// Writes an answer in parts, and tells the account what is left after each.
private struct AccountedWriter: ResponseBodyWriter {
  var writer: any ResponseBodyWriter
  let account: StreamAccount
  /// The bytes that the client hasn't taken.
  var left: Int

  mutating func write(_ buffer: ByteBuffer) async throws {
    var buffer = buffer
    while buffer.readableBytes > 0,
      let part = buffer.readSlice(length: min(buffer.readableBytes, LargeAnswer.partSize))
    {
      // A client that takes its answer slowly isn't one that takes nothing.
      account.began(writing: left)
      try await writer.write(part)
      left -= part.readableBytes
    }
  }

  consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
    try await writer.finish(trailingHeaders)
    account.close()
  }
}
