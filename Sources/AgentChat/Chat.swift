internal import AgentSystem

/// Asks every logic adapter at once and chooses the answer with the highest confidence.
public struct Chat: Sendable {
  /// How long an adapter may take.
  public let timeout: Duration
  /// How much longer an adapter is waited for that doesn't keep to its time.
  private static let patience = Duration.seconds(3)

  private let pause: @Sendable (Duration) async throws -> Void

  /// - Parameters:
  ///   - timeout: how long an adapter may take before the others are chosen from.
  ///   - pause: returns after a time, and throws when its task is cancelled.
  public init(
    timeout: Duration = .seconds(10),
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    (self.timeout, self.pause) = (timeout, pause)
  }

  /// Answers a statement.
  ///
  /// An adapter that fails or is late is left out and named in the reply; it never spoils the
  /// answer of another, and never holds it up for longer than its time and a moment.
  /// - Throws: `ChatError` with `noAdapters` when there is nobody to ask.
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
      return found.sorted { $0.0 < $1.0 }.map(\.1)
    }
    return ChatReply(choosingFrom: candidates)
  }

  /// Rationale: apart from the task that waits, which would otherwise wait for the adapter's too,
  /// also for one that ignores its cancellation.
  private func ask(
    _ adapter: any ChatAdapter, _ statement: ChatStatement, within timeout: Duration
  ) async -> ChatReply.Candidate {
    let answer = FirstAnswer<ChatReply.Candidate>()
    let work = Task { answer.give(await Self.ask(adapter, statement: statement, timeout: timeout)) }
    let timer = Task { [pause] in
      try await pause(timeout + Self.patience)
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
