public import AgentJSON
internal import DequeModule
internal import Synchronization

/// What processes publish, in the order in which each has published it, whatever fails meanwhile.
extension EventBus {
  /// As ``publish(_:source:completion:)``, but what can't be stored now is tried again until it can
  /// be, or the log is closed: for those who can't be told to publish it once more. `completion` says
  /// when that was, so that they can be held back.
  ///
  /// Of a source one batch is on its way to the log at a time, with all that came during the one
  /// before: were there several, one that fails would be overtaken by the next.
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
      Task {
        try? await pause(Self.retryPause)
        self.store(batches, of: source)
      }
    } _: { outcome in
      // A failure is the other closure's: it may be tried again.
      guard case .success = outcome else { return }
      for batch in batches { batch.completion(true) }
    }
  }

  /// What has come meanwhile.
  private func storeNext(of source: String) {
    let next = state.withLock { state -> [SourceBatch] in
      guard let waiting = state.sources[source], !waiting.isEmpty else {
        state.sources[source] = nil
        return []
      }
      state.sources[source] = []
      return Array(waiting)
    }
    if !next.isEmpty { store(next, of: source) }
  }
}

/// What a process has published at a time.
struct SourceBatch: Sendable {
  let drafts: [EventDraft]
  /// Told whether it is stored.
  let completion: @Sendable (Bool) -> Void

  init(drafts: [EventDraft], _ completion: @escaping @Sendable (Bool) -> Void) {
    (self.drafts, self.completion) = (drafts, completion)
  }
}
