public import AgentJSON
internal import AgentStore
public import AgentTasks
internal import Synchronization

/// The offers of a bot, one after the other, as they are made. For one reader.
public struct BotOffers: AsyncSequence, Sendable {
  /// An assignment with its task.
  public struct Offer: Sendable {
    /// The assignment's number.
    public let number: Int64
    /// The assignment, as the API shows it.
    public let json: JSONValue
  }

  let dispatcher: TaskDispatcher
  let bot: String
  let after: Int64
  let number: Int
  let calls: AsyncStream<Void>

  /// Ends it; once is enough.
  public func end() { dispatcher.stopListening(bot, number) }

  /// Reads it.
  public func makeAsyncIterator() -> Iterator {
    Iterator(offers: self, calls: calls.makeAsyncIterator(), seen: after)
  }

  /// Reads what a bot is offered.
  public struct Iterator: AsyncIteratorProtocol {
    let offers: BotOffers
    var calls: AsyncStream<Void>.Iterator
    var seen: Int64
    private var waiting: [Offer] = []
    /// The last page wasn't the last one: nobody calls for what is behind it.
    private var isMore = false

    init(offers: BotOffers, calls: AsyncStream<Void>.Iterator, seen: Int64) {
      self.offers = offers
      self.calls = calls
      self.seen = seen
    }

    /// The next one; nil when nobody wants to know any more.
    public mutating func next() async throws -> Offer? {
      while waiting.isEmpty {
        if !isMore, await calls.next() == nil { return nil }
        let page = try await offers.dispatcher.offers(to: offers.bot, after: seen)
        (waiting, isMore) = (page.offers.reversed(), page.next != nil)
      }
      let next = waiting.popLast()
      seen = next?.number ?? seen
      return next
    }
  }
}

extension TaskDispatcher {
  /// The offers of a bot, beginning with those that it hasn't answered.
  /// - Parameter after: only those with a greater number.
  public func stream(
    of bot: String, after: Int64, by authority: TaskAuthority
  ) throws(TaskError) -> BotOffers {
    try check(authority, speaksFor: bot)
    try recordContact(of: bot, at: now())
    // One waiting call is enough: the read that follows finds every offer since `after`.
    let (stream, source) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let number = listen(bot, source)
    // Offers from before the listener was there ring nobody: the first read finds them.
    source.yield()
    return BotOffers(dispatcher: self, bot: bot, after: after, number: number, calls: stream)
  }

  func listen(_ bot: String, _ source: AsyncStream<Void>.Continuation) -> Int {
    state.withLock { state in
      state.lastListener += 1
      state.listeners[bot, default: [:]][state.lastListener] = source
      return state.lastListener
    }
  }

  func stopListening(_ bot: String, _ number: Int) {
    let source = state.withLock { state in
      // An empty entry would stay for every bot that has ever listened.
      defer { if state.listeners[bot]?.isEmpty == true { state.listeners[bot] = nil } }
      return state.listeners[bot]?.removeValue(forKey: number)
    }
    source?.finish()
  }
}
