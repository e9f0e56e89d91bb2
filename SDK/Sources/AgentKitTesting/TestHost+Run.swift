public import AgentKit

extension TestHost {
  /// Runs a datasource until it has published `count` events, then cancels it and returns them. If
  /// it returns earlier, returns the events that it has published. Rethrows its error.
  @discardableResult
  public func run<T: Datasource>(_ source: T, untilPublished count: Int) async throws -> [Event] {
    try await run(untilPublished: count) { try await source.run() }
  }

  /// Runs a monitor until it has published `count` events, then cancels it and returns them.
  @discardableResult
  public func run<T: Monitor>(_ monitor: T, untilPublished count: Int) async throws -> [Event] {
    try await run(untilPublished: count) { try await monitor.run() }
  }

  /// Runs a monitor until it has processed `count` events, and returns the events that it
  /// published. Use it to show that something is *not* published.
  @discardableResult
  public func run<T: Monitor>(_ monitor: T, untilTaken count: Int) async throws -> [Event] {
    try await run(until: { $0.acknowledged >= count }, work: { try await monitor.run() })
  }

  private func run(
    untilPublished count: Int, work: @escaping @Sendable () async throws -> Void
  ) async throws -> [Event] {
    try await run(until: { $0.published.count >= count }, work: work)
  }

  private func run(
    until condition: @escaping @Sendable (TestHostState.Contents) -> Bool,
    work: @escaping @Sendable () async throws -> Void
  ) async throws -> [Event] {
    let run = state.update { contents in
      contents.runs += 1
      return contents.runs
    }
    let task = Task { [state] in
      defer { state.update { _ = $0.ended.insert(run) } }
      try await work()
    }
    await withTaskCancellationHandler {
      await state.wait { condition($0) || $0.ended.contains(run) }
    } onCancel: {
      task.cancel()
    }
    task.cancel()
    do { try await task.value } catch is CancellationError {}
    return published
  }
}
