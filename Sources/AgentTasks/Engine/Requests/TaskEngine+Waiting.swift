public import AgentStore
internal import AgentSystem
internal import Synchronization

extension TaskEngine {
  /// Waits until a task has ended.
  /// - Throws: `timedOut` if the time passes first or the host ends waits; `notReady` if the engine
  ///   has closed in the meantime.
  public func wait(for id: Int64, milliseconds: Int64) async throws -> TaskRow {
    let number = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    // The timer may fire before the waiter is registered, when it can't resume it. Then the flag
    // ends the wait below.
    let isOver = StopSignal()
    let timer = Task(executorPreference: executor) { [pause] in
      try await pause(.milliseconds(milliseconds))
      isOver.set()
      self.give(up: number, on: id)
    }
    defer { timer.cancel() }
    let ended = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        state.withLock { state in
          state.waiters[id, default: []].append(
            EngineState.Waiter(number: number, continuation: continuation))
        }
        if Task.isCancelled || isOver.isSet || state.withLock({ $0.endsWaits }) {
          give(up: number, on: id)
        }
        // The task may have ended before the waiter was registered. It is read after the
        // registration, so that no end is missed.
        Task(executorPreference: executor) {
          guard let row = try? await self.task(id), !row.state.isEnded else {
            return self.give(up: number, on: id)
          }
        }
      }
    } onCancel: {
      give(up: number, on: id)
    }
    if let ended { return ended }
    try Task.checkCancellation()
    let row = try await task(id)
    guard row.state.isEnded else {
      throw TaskError(
        .timedOut, "Task \(id) is \(row.state.rawValue) after \(milliseconds) ms; it continues.")
    }
    return row
  }

  /// Resumes a waiter without a result, unless it was resumed already.
  private func give(up number: Int, on id: Int64) {
    let waiter = state.withLock { state -> EngineState.Waiter? in
      // The waiter is missing if the task has ended first. A continuation must be resumed only
      // once.
      guard let place = state.waiters[id]?.firstIndex(where: { $0.number == number }) else {
        return nil
      }
      let waiter = state.waiters[id]?.remove(at: place)
      if state.waiters[id]?.isEmpty == true { state.waiters[id] = nil }
      return waiter
    }
    waiter?.continuation.resume(returning: nil)
  }

  /// Ends all waits for tasks, also those that begin later. Called when the host ends, because
  /// waits would delay it. A wait throws `timedOut` if its task hasn't ended.
  public func endWaits() {
    let waiters = state.withLock { state in
      // Under one lock. A waiter that is registered later sees the flag and ends itself.
      state.endsWaits = true
      defer { state.waiters = [:] }
      return state.waiters.values.flatMap(\.self)
    }
    for waiter in waiters { waiter.continuation.resume(returning: nil) }
  }
}
