internal import AgentStore
internal import AgentSystem
internal import AgentTasks
internal import Synchronization

/// Stores the outcomes of local bots' attempts, and retries while the disk takes no writes. No
/// other component has these outcomes.
extension TaskDispatcher {
  /// The errors of a disk that may take writes again later.
  private static let passing: Set<StoreError.Code> = [.full, .fault, .group, .corrupt]
  // In milliseconds. The wait doubles, so that a full disk isn't tried all the time.
  private static let firstRetry: Int64 = 250
  private static let longestRetry: Int64 = 10_000

  /// Calls `body` until its result is stored.
  /// - Returns: nil if the lease has ended, or the host ends. The next start then requeues the
  ///   task.
  /// - Throws: errors for which a retry is useless.
  func retryUntilStored<Value: Sendable>(
    _ lease: TaskLease, _ body: () async throws -> Value
  ) async throws -> Value? {
    var wait = Self.firstRetry
    while !state.withLock(\.phase.isStopping) {
      do {
        return try await body()
      } catch let error as TaskError where error.code == .staleLease || error.code == .missing {
        // Another bot has the task, or the attempt that seemed to fail was stored.
        return nil
      } catch let error as TaskError where error.code == .notReady {
        // The store is closed because the host ends. The next start requeues the task.
        return nil
      } catch let error as StoreError where Self.passing.contains(error.code) {
        // Logged once for each outcome: the log may be on the same full disk.
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

  /// Waits in a task of its own. In a cancelled task, the wait would end at once.
  private func rest(_ milliseconds: Int64) async {
    await Task { [pause] in try? await pause(.milliseconds(milliseconds)) }.value
  }
}
