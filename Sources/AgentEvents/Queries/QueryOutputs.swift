public import AgentQueries
internal import DequeModule
internal import Synchronization

/// The outputs of a query. The query continues when its reader has taken the previous output.
///
/// It has one reader. The query ends when the reader's task is cancelled, when ``end()`` is called,
/// and when the sequence is released.
public final class QueryOutputs: AsyncSequence, AsyncIteratorProtocol, Sendable {
  /// A message, or the costs of each step. Costs come at the end, and earlier if the caller asked
  /// for that.
  public enum Element: Sendable {
    case message(QueryMessage)
    case statistics([StageStatistics])
  }

  private struct State {
    var element: Element?
    /// What follows ``element`` at the end.
    var last: Deque<Element> = []
    var isFinished = false
    var error: (any Error)?
    var reader: CheckedContinuation<Element?, any Error>?
    var writer: CheckedContinuation<Void, any Error>?
    var work: Task<Void, Never>?
  }

  private let state = Mutex(State())

  deinit { end() }

  /// Returns the sequence itself, because it has one reader.
  public func makeAsyncIterator() -> QueryOutputs { self }

  /// Waits for the next output.
  /// - Returns: nil at the end.
  /// - Throws: the error that ended the query.
  public func next() async throws -> Element? {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (outcome, writer) = state.withLock {
          state -> (Result<Element?, any Error>?, CheckedContinuation<Void, any Error>?) in
          if let element = state.element {
            defer { (state.element, state.writer) = (state.last.popFirst(), nil) }
            return (.success(element), state.writer)
          }
          if let error = state.error { return (.failure(error), nil) }
          if state.isFinished { return (.success(nil), nil) }
          state.reader = continuation
          return (nil, nil)
        }
        // The query continues here, so this is outside of the lock.
        writer?.resume()
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      end()
    }
  }

  /// Ends the query.
  public func end() { finish(nil) }

  /// Passes an output to the reader and waits until it was taken.
  /// - Throws: `CancellationError` if the reader is gone.
  func send(_ element: Element) async throws {
    try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Void, any Error>) in
      let (isOver, reader) = state.withLock {
        state -> (Bool, CheckedContinuation<Element?, any Error>?) in
        if state.isFinished { return (true, nil) }
        if let reader = state.reader {
          state.reader = nil
          return (false, reader)
        }
        state.element = element
        state.writer = continuation
        return (false, nil)
      }
      if isOver { return continuation.resume(throwing: CancellationError()) }
      guard let reader else { return }
      reader.resume(returning: element)
      continuation.resume()
    }
  }

  /// Ends the query, because all queries hold too much. The output that waits is dropped with what
  /// the query holds, because its reader may never take it.
  /// - Parameter reason: a sentence for the reader.
  func end(because reason: String) {
    finish(
      nil, last: [.warning(reason), .stop(reason: .limit), .destroy].map { .message($0) })
  }

  func finish(_ error: (any Error)?, last: [Element] = []) {
    let left = state.withLock { state in
      defer { (state.reader, state.writer) = (nil, nil) }
      var first: Element?
      // Only once: the work of a query that was ended finishes it again, while its reader hasn't
      // taken the last outputs.
      if !state.isFinished {
        state.isFinished = true
        state.error = error
        state.last = Deque(last)
        if state.reader != nil { first = state.last.popFirst() }
        // Otherwise `element` stays, so that the reader still gets the last output.
        if let next = state.last.popFirst() { state.element = next }
      }
      return (reader: state.reader, first: first, writer: state.writer, work: state.work)
    }
    if let error {
      left.reader?.resume(throwing: error)
    } else {
      left.reader?.resume(returning: left.first)
    }
    left.writer?.resume(throwing: CancellationError())
    left.work?.cancel()
  }

  func hold(_ work: Task<Void, Never>) {
    let isOver = state.withLock { state in
      state.work = work
      return state.isFinished
    }
    // The reader may have left before the task existed.
    if isOver { work.cancel() }
  }
}

extension EventBus {
  /// Runs a query. See ``run(_:span:_:)``.
  /// - Parameters:
  ///   - resumption: where the query resumes, in place of the span's beginning. Its messages then
  ///     have marks. A query that depends on all earlier events begins with its span anyway.
  ///   - pause: the shortest time between two reports of the costs, in milliseconds. Nil means a
  ///     report only at the end.
  ///   - account: of the client's stream that gets the outputs.
  ///   - timing: the limits of the query in time and memory.
  ///   - owner: whom the query belongs to. See ``QueryMemory``.
  public func outputs(
    of plan: QueryPlan, span: QuerySpan = .live, resuming resumption: QueryResumption? = nil,
    reportingCosts pause: Int64? = nil, account: StreamAccount? = nil,
    timing: QueryTiming = QueryTiming(), owner: QueryOwner = .client("")
  ) -> QueryOutputs {
    let outputs = QueryOutputs()
    // The border is read now and not when the task runs, so that the query gets every event that is
    // published from here on.
    let request = QueryRequest(
      plan: plan, span: span, border: border, resumption: resumption, account: account,
      timing: timing, owner: owner, end: { [weak outputs] in outputs?.end(because: $0) })
    outputs.hold(
      // The reference is weak, because the release of the sequence ends the query.
      Task { [weak outputs] in
        do {
          let costs = pause.map { pause in
            CostReports(pause: pause) { try await outputs?.send(.statistics($0)) }
          }
          let statistics = try await run(
            request,
            { message in
              guard let outputs else { throw CancellationError() }
              try await outputs.send(.message(message))
            }, costs: costs)
          try await outputs?.send(.statistics(statistics))
          outputs?.finish(nil)
        } catch is CancellationError {
          outputs?.finish(nil)
        } catch {
          outputs?.finish(error)
        }
      })
    return outputs
  }
}
