internal import AgentBuild
internal import AgentDiagnostics
@preconcurrency internal import Dispatch
internal import Glibc
internal import ServiceLifecycle
internal import Synchronization

/// The signals that ask the host to stop, SIGTERM and SIGINT, from its first moment to its end.
///
/// Rationale: a group of services catches signals once it runs. Before that the host records its
/// start, reads its settings and builds modules, which may take minutes. A signal in that time is a
/// request as well: the start mustn't count as failed. One object for all phases leaves no gap
/// between them. It has a thread of its own, since others may wait for files.
final class StopRequests: Sendable {
  private enum Phase {
    /// No service runs. The journal is nil before the start is recorded.
    case starting(StartJournal?)
    case serving(ServiceGroup)
  }

  /// The part that the sources of signals keep.
  private final class Receiver: Sendable {
    let phase = Mutex(Phase.starting(nil))

    func receive() {
      let group = phase.withLock { phase -> ServiceGroup in
        switch phase {
        case .serving(let group): group
        // Under the lock, so that no service begins meanwhile.
        case .starting(let journal): Self.end(journal)
        }
      }
      Task { await group.triggerGracefulShutdown() }
    }

    private static func end(_ journal: StartJournal?) -> Never {
      // The disk of the record may not answer.
      StopLimit.begin(milliseconds: StopRequests.longestEnd)
      journal?.clear()
      ModuleBuilder.endAll()
      Terminal.remark("The agent was told to stop before it ran.")
      // Not `exit`: others still work, and would lose what they work with.
      _exit(0)
    }
  }

  /// How long the end may take before services run, in milliseconds.
  private static let longestEnd = 2_000

  private let receiver: Receiver
  private let sources: [any DispatchSourceSignal]

  /// Begins to receive the signals. Until it returns, they end the process.
  init() async {
    let (receiver, queue) = (Receiver(), DispatchQueue(label: "agent.stop"))
    let sources = [SIGTERM, SIGINT].map { signal in
      let source = DispatchSource.makeSignalSource(signal: signal, queue: queue)
      source.setEventHandler { receiver.receive() }
      return source
    }
    (self.receiver, self.sources) = (receiver, sources)
    for source in sources {
      await withCheckedContinuation { isRegistered in
        source.setRegistrationHandler { isRegistered.resume() }
        source.resume()
      }
    }
  }

  /// From now on a request clears this journal before it ends the process.
  func clear(_ journal: StartJournal) {
    receiver.phase.withLock { $0 = .starting(journal) }
  }

  /// Ends the host, as a signal does.
  func request() { receiver.receive() }

  /// From now on a request ends the services of this group. It may come before they run.
  func end(_ group: ServiceGroup) {
    receiver.phase.withLock { $0 = .serving(group) }
  }
}
