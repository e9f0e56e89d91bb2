internal import AgentSystem
internal import Synchronization

/// Looks names up, on threads of its own. Each kind of user has one, so that slow names of one kind
/// don't delay another.
public final class NameLookup: Sendable {
  /// For the requests of tasks.
  public static let tasks = NameLookup()
  /// For the webhooks of bots.
  public static let bots = NameLookup()
  /// For notifiers.
  public static let notifiers = NameLookup()

  /// Runs work that may block on a thread of its own.
  typealias ThreadStart =
    @Sendable (_ work: @escaping @Sendable () -> Void) throws(DetachedThread.StartError) -> Void

  private struct State {
    var queue: LookupQueue
    var last = 0
  }

  private let state: Mutex<State>
  private let known: @Sendable (String) -> [NetworkAddress]?
  private let ask: @Sendable (String) -> LookupQueue.Found
  private let startThread: ThreadStart

  /// - Parameters:
  ///   - known: the addresses that need no name server; nil when one is needed.
  ///   - ask: the addresses of other names; it may block.
  ///   - thread: starts the thread of one look-up. Rationale: in a shared pool, a look-up that
  ///     doesn't return would keep a thread from the pool's other users.
  init(
    limits: LookupQueue.Limits = LookupQueue.Limits(),
    known: @escaping @Sendable (String) -> [NetworkAddress]? = HostLookup.known,
    ask: @escaping @Sendable (String) -> LookupQueue.Found = HostLookup.ask,
    thread: @escaping ThreadStart = { (work) throws(DetachedThread.StartError) in
      try DetachedThread.start("agent-lookup", work: work)
    }
  ) {
    state = Mutex(State(queue: LookupQueue(limits: limits)))
    self.known = known
    self.ask = ask
    startThread = thread
  }

  /// The addresses of a name, as texts, in the order in which they are to be tried.
  /// - Throws: `DeliveryFailure` when there are none, or too many look-ups hang;
  ///   `CancellationError` as soon as the caller is cancelled. The thread is left to finish then.
  func addresses(of host: String) async throws -> [String] {
    if let addresses = known(host) { return addresses.map(\.text) }
    let answer = LookupQueue.Answer()
    let (number, actions) = state.withLock { state -> (Int, LookupQueue.Actions) in
      state.last += 1
      let number = state.last
      return (number, state.queue.add(answer, number: number, for: host))
    }
    perform(actions)
    return try await withTaskCancellationHandler {
      try await answer.value.get().map(\.text)
    } onCancel: {
      answer.give(.failure(CancellationError()))
      perform(state.withLock { $0.queue.remove(number, for: host) })
    }
  }

  /// Called without the lock, because an answer may resume its task at once.
  private func perform(_ actions: LookupQueue.Actions) {
    for reply in actions.replies { reply.answer.give(reply.found) }
    for name in actions.starts {
      do throws(DetachedThread.StartError) {
        try startThread { [self] in finish(name, with: ask(name)) }
      } catch {
        let reason = "This machine has no thread left to look \(name) up."
        finish(name, with: .failure(DeliveryFailure(reason)))
      }
    }
  }

  private func finish(_ name: String, with found: LookupQueue.Found) {
    perform(state.withLock { $0.queue.finish(name, with: found) })
  }
}
