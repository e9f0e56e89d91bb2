/// Asks every logic adapter at once and chooses the surest answer.
public struct Chat: Sendable {
  /// How long an adapter may take.
  public let timeout: Duration

  /// - Parameter timeout: how long an adapter may take before the others are chosen from.
  public init(timeout: Duration = .seconds(10)) { self.timeout = timeout }

  /// Answers a statement.
  ///
  /// An adapter that fails or is late is left out and named in the reply; it never spoils the
  /// answer of another.
  /// - Throws: `ChatError` with `noAdapters` when there is nobody to ask.
  public func reply(
    to statement: ChatStatement, asking adapters: [any ChatAdapter]
  ) async throws(ChatError) -> ChatReply {
    guard !adapters.isEmpty else {
      throw ChatError(
        code: .noAdapters,
        message: "No logic adapter is enabled, so nobody can answer. Enable a module that offers "
          + "one: \"agent features\" lists them.")
    }
    let timeout = timeout
    let candidates = await withTaskGroup(of: (Int, ChatReply.Candidate).self) { group in
      for (index, adapter) in adapters.enumerated() {
        group.addTask { (index, await Self.ask(adapter, statement, timeout)) }
      }
      var found: [(Int, ChatReply.Candidate)] = []
      for await candidate in group { found.append(candidate) }
      return found.sorted { $0.0 < $1.0 }.map(\.1)
    }
    return ChatReply(choosingFrom: candidates)
  }

  private static func ask(
    _ adapter: any ChatAdapter, _ statement: ChatStatement, _ timeout: Duration
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
