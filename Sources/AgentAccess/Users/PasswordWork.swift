internal import Dispatch
internal import Synchronization

/// Makes and checks hashes of passwords, one at a time on a thread of its own: each takes a tenth of
/// a second of a processor and 64 MiB, so whoever asks for many at once must not get them.
final class PasswordWork: Sendable {
  private static let most = 16
  private let queue = DispatchQueue(label: "bulkhead.passwords")
  private let waiting = Mutex(0)

  func hash(_ password: String) async throws(AccessError) -> String {
    guard let hash = try await run({ Digest.password(password) }) else {
      throw AccessError(.busy, "There isn't enough memory to hash a password now.")
    }
    return hash
  }

  func isPassword(_ password: String, of hash: String) async throws(AccessError) -> Bool {
    try await run { Digest.isPassword(password, of: hash) }
  }

  private func run<Value: Sendable>(
    _ work: @escaping @Sendable () -> Value
  ) async throws(AccessError) -> Value {
    let isTaken = waiting.withLock { waiting in
      guard waiting < Self.most else { return false }
      waiting += 1
      return true
    }
    guard isTaken else {
      throw AccessError(.busy, "There are too many sign-ins at once; try again in a few seconds.")
    }
    defer { waiting.withLock { $0 -= 1 } }
    return await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: work()) }
    }
  }
}
