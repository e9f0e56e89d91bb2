internal import Dispatch
internal import Synchronization

/// Makes and compares hashes of passwords, one at a time on a thread of its own. Each takes a tenth
/// of a second of a processor and 64 MiB. Many requests at once must not use more than that.
final class PasswordWork: Sendable {
  // The maximum number of waiting requests. The last of them waits for about two seconds.
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
      // A hash blocks its thread, and the threads of Swift's executor must not be blocked.
      queue.async { continuation.resume(returning: work()) }
    }
  }
}
