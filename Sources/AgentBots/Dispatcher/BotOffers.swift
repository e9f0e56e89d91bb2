public import AgentJSON
internal import AgentStore
public import AgentTasks
internal import Synchronization

/// The offers to a bot, in the order in which they are made. Only one reader may use it.
public struct BotOffers: AsyncSequence, Sendable {
  /// An assignment that the bot hasn't answered.
  public struct Offer: Sendable {
    /// The assignment's id.
    public let number: Int64
    /// The assignment with its task, as the API shows it.
    public let json: JSONValue
  }

  let dispatcher: TaskDispatcher
  let bot: String
  let after: Int64
  let number: Int
  let calls: AsyncStream<Void>

  /// Ends the sequence. May be called again.
  public func end() { dispatcher.stopListening(bot, number) }

  /// Returns the iterator. Call this once.
  public func makeAsyncIterator() -> Iterator {
    Iterator(offers: self, calls: calls.makeAsyncIterator(), seen: after)
  }

  /// Waits for offers and reads them page by page.
  public struct Iterator: AsyncIteratorProtocol {
    let offers: BotOffers
    var calls: AsyncStream<Void>.Iterator
    var seen: Int64
    private var waiting: [Offer] = []
    /// Whether the last page was full. The next page is then read at once, because no call
    /// announces it.
    private var isMore = false

    init(offers: BotOffers, calls: AsyncStream<Void>.Iterator, seen: Int64) {
      self.offers = offers
      self.calls = calls
      self.seen = seen
    }

    /// Returns the next offer. Waits if there is none.
    /// - Returns: nil after ``BotOffers/end()``, when the dispatcher ends, or when the task of the
    ///   caller is cancelled.
    /// - Throws: `notReady`; errors of the store.
    public mutating func next() async throws -> Offer? {
      while waiting.isEmpty {
        if !isMore, await calls.next() == nil { return nil }
        let page = try await offers.dispatcher.offers(to: offers.bot, after: seen)
        // Reversed, because `popLast` takes the oldest from the end without moving the others.
        (waiting, isMore) = (page.offers.reversed(), page.next != nil)
      }
      let next = waiting.popLast()
      seen = next?.number ?? seen
      return next
    }
  }
}

extension TaskDispatcher {
  /// Returns the offers of a bot, beginning with those that it hasn't answered.
  /// - Parameters:
  ///   - after: the id of the last assignment that the reader knows. Only later ones follow.
  ///   - authority: the caller, which must be permitted to act for the bot.
  /// - Throws: `missing`, `forbidden` or `notReady`.
  public func stream(
    of bot: String, after: Int64, by authority: TaskAuthority
  ) throws(TaskError) -> BotOffers {
    try check(authority, speaksFor: bot)
    // A bot that listens is online, even without a heartbeat.
    try recordContact(of: bot, at: now())
    // One pending element is enough: the next read finds every offer after `after`.
    let (stream, source) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let number = listen(bot, source)
    // Offers that were made before `listen` announced nothing. The first read finds them.
    source.yield()
    return BotOffers(dispatcher: self, bot: bot, after: after, number: number, calls: stream)
  }

  /// Adds a listener, which gets an element at every offer to the bot.
  /// - Returns: a number for ``stopListening(_:_:)``.
  func listen(_ bot: String, _ source: AsyncStream<Void>.Continuation) -> Int {
    state.withLock { state in
      state.lastListener += 1
      state.listeners[bot, default: [:]][state.lastListener] = source
      return state.lastListener
    }
  }

  /// Removes a listener and ends its stream. Does nothing if it was removed before.
  func stopListening(_ bot: String, _ number: Int) {
    let source = state.withLock { state in
      // Otherwise the dictionary would keep an entry for every bot that has ever listened.
      defer { if state.listeners[bot]?.isEmpty == true { state.listeners[bot] = nil } }
      return state.listeners[bot]?.removeValue(forKey: number)
    }
    // Outside of the lock: ending a stream runs its handlers, which may take the lock.
    source?.finish()
  }
}
