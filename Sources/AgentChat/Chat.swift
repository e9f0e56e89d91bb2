internal import AgentSystem

/// Asks all logic adapters at the same time and chooses the answer with the highest confidence.
public struct Chat: Sendable {
  /// The time limit for each adapter.
  public let timeout: Duration
  /// The additional time for an adapter that exceeds its limit. An adapter that respects the limit
  /// reports its own, more precise error in this time.
  private static let patience = Duration.seconds(3)

  private let pause: @Sendable (Duration) async throws -> Void

  /// - Parameters:
  ///   - timeout: the time limit for each adapter.
  ///   - pause: returns after the given time, and throws when its task is cancelled.
  public init(
    timeout: Duration = .seconds(10),
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    (self.timeout, self.pause) = (timeout, pause)
  }

  /// Answers a statement.
  ///
  /// An adapter that fails or exceeds its time is named in the reply with its error. It doesn't
  /// affect the answers of other adapters, and delays them by at most ``timeout`` and three
  /// seconds.
  /// - Throws: `ChatError` with `noAdapters` if `adapters` is empty.
  public func reply(
    to statement: ChatStatement, asking adapters: [any ChatAdapter]
  ) async throws(ChatError) -> ChatReply {
    guard !adapters.isEmpty else {
      throw ChatError(
        code: .noAdapters,
        message: "No logic adapter is enabled, so there is no answer. Enable a module that offers "
          + "one: \"agent features\" lists them.")
    }
    let timeout = timeout
    let candidates = await withTaskGroup(of: (Int, ChatReply.Candidate).self) { group in
      for (index, adapter) in adapters.enumerated() {
        group.addTask { (index, await ask(adapter, statement, within: timeout)) }
      }
      var found: [(Int, ChatReply.Candidate)] = []
      for await candidate in group { found.append(candidate) }
      // Adapters finish in any order. The reply lists them in the order of the settings, which also
      // decides between equal confidences.
      return found.sorted { $0.0 < $1.0 }.map(\.1)
    }
    return ChatReply(choosingFrom: candidates)
  }

  /// Asks one adapter and returns its answer or its error.
  ///
  /// Rationale: the adapter runs in a task outside the caller's group. A group waits for all its
  /// tasks, including one that ignores its cancellation. Such an adapter would delay the reply
  /// forever.
  private func ask(
    _ adapter: any ChatAdapter, _ statement: ChatStatement, within timeout: Duration
  ) async -> ChatReply.Candidate {
    let answer = FirstAnswer<ChatReply.Candidate>()
    let work = Task { answer.give(await Self.ask(adapter, statement: statement, timeout: timeout)) }
    let timer = Task { [pause] in
      try await pause(timeout + Self.patience)
      // This answer counts only if the adapter has given none.
      let message = "\(adapter.name) didn't answer within \(timeout.components.seconds) s."
      let problem = ChatError(code: .timedOut, message: message)
      answer.give(ChatReply.Candidate(adapter: adapter.name, answer: nil, problem: problem))
    }
    defer {
      timer.cancel()
      work.cancel()
    }
    return await withTaskCancellationHandler {
      await answer.value
    } onCancel: {
      // The timer goes on: it ends the wait even if the adapter ignores the cancellation.
      work.cancel()
    }
  }

  private static func ask(
    _ adapter: any ChatAdapter, statement: ChatStatement, timeout: Duration
  ) async -> ChatReply.Candidate {
    do {
      let answer = try await adapter.answer(statement, timeout: timeout)
      return ChatReply.Candidate(adapter: adapter.name, answer: answer, problem: nil)
    } catch let error as ChatError {
      return ChatReply.Candidate(adapter: adapter.name, answer: nil, problem: error)
    } catch {
      return ChatReply.Candidate(
        adapter: adapter.name, answer: nil,
        problem: ChatError(code: .adapterFailed, message: "\(error)"))
    }
  }
}
