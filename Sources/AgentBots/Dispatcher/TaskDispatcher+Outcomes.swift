internal import AgentStore
internal import AgentSystem
internal import AgentTasks
internal import Synchronization

/// Stores the outcomes of attempts of local bots, however long the disk
/// takes no writes: nobody else knows of it.
extension TaskDispatcher {
  /// What a disk says that takes writes again later.
  private static let passing: Set<StoreError.Code> = [.full, .fault, .group, .corrupt]
  private static let firstRetry: Int64 = 250
  private static let longestRetry: Int64 = 10_000

  /// Does `body`, again and again as long as it can't be stored.
  /// - Returns: nil when the lease is over, or the host ends: the next start does what follows.
  /// - Throws: what trying again can't help.
  func retryUntilStored<Value: Sendable>(
    _ lease: TaskLease, _ body: () async throws -> Value
  ) async throws -> Value? {
    var wait = Self.firstRetry
    while !state.withLock(\.phase.isStopping) {
      do {
        return try await body()
      } catch let error as TaskError where error.code == .staleLease || error.code == .missing {
        // Somebody else has it, or it was stored by the attempt that seemed to fail.
        return nil
      } catch let error as TaskError where error.code == .notReady {
        // The store is closed because the host ends: the next start requeues the task.
        return nil
      } catch let error as StoreError where Self.passing.contains(error.code) {
        // Once for each outcome: the log may be on the same full disk.
        if wait == Self.firstRetry {
          log(
            .warning,
            "The outcome of task \(lease.task) can't be stored now; the host retries. \(error)"
          )
        }
        await rest(wait)
        wait = min(wait * 2, Self.longestRetry)
      }
    }
    return nil
  }

  /// In a task of its own: who was cancelled couldn't wait.
  private func rest(_ milliseconds: Int64) async {
    await Task { [pause] in try? await pause(.milliseconds(milliseconds)) }.value
  }
}
