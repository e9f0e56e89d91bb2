public import AgentJSON
internal import DequeModule
internal import Synchronization

/// Stores the events of each process in the order in which it published them, even after failures.
extension EventBus {
  /// Publishes like ``publish(_:source:completion:)``, but tries again until the batch is stored or
  /// the log is closed. It is for modules, which can't publish a batch again. `completion` is
  /// called once with whether the batch is stored. A module gets its credit back then.
  ///
  /// Rationale: a source has only one batch on its way to the log. The next one has everything that
  /// came in the meantime. With several batches, one that fails would be overtaken by the next.
  public func publishPatiently(
    _ objects: [JSONObject], source: String, by publisher: EventPublisher = .guest,
    completion: @escaping @Sendable (Bool) -> Void
  ) throws(EventError) {
    let batch = SourceBatch(
      drafts: try drafts(of: objects, source: source, by: publisher), completion)
    let isFirst = state.withLock { state in
      guard state.sources[source] == nil else {
        state.sources[source]?.append(batch)
        return false
      }
      state.sources[source] = []
      return true
    }
    // Storing takes the lock again, so this is outside of it.
    if isFirst { store([batch], of: source) }
  }

  private func store(_ batches: [SourceBatch], of source: String) {
    accept(batches.flatMap(\.drafts)) { [weak self] isStored in
      guard let self else { return }
      if isStored { return storeNext(of: source) }
      if isClosed {
        for batch in batches { batch.completion(false) }
        return storeNext(of: source)
      }
      // This closure runs on the writer's thread, which must not block.
      Task {
        try? await pause(Self.retryPause)
        self.store(batches, of: source)
      }
    } _: { outcome in
      // The other closure handles a failure, because the batch may be tried again.
      guard case .success = outcome else { return }
      for batch in batches { batch.completion(true) }
    }
  }

  /// Stores the batches that came in the meantime as one.
  private func storeNext(of source: String) {
    let next = state.withLock { state -> [SourceBatch] in
      guard let waiting = state.sources[source], !waiting.isEmpty else {
        // An entry means that a batch is on its way to the log.
        state.sources[source] = nil
        return []
      }
      state.sources[source] = []
      return Array(waiting)
    }
    if !next.isEmpty { store(next, of: source) }
  }
}

/// The events of one call of `publishPatiently`.
struct SourceBatch: Sendable {
  let drafts: [EventDraft]
  /// Called once with whether the batch is stored.
  let completion: @Sendable (Bool) -> Void

  init(drafts: [EventDraft], _ completion: @escaping @Sendable (Bool) -> Void) {
    (self.drafts, self.completion) = (drafts, completion)
  }
}
