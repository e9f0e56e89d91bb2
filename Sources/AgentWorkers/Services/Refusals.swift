internal import AgentJSON
internal import AgentSystem
internal import Synchronization

/// How often the host has refused something to one worker, by what was asked for. Safe from every
/// thread.
///
/// A module may ignore an ERROR and ask again without end. Here a person sees that it does.
package final class Refusals: Sendable {
  private let counts = Mutex<[String: Int64]>([:])

  init() {}

  /// Counts refusals.
  /// - Parameter what: the id of a service that the host offers, or a word of the host's. Never a
  ///   text of the worker's, which could be any number of them.
  func count(_ what: String, _ count: Int = 1) {
    guard count > 0 else { return }
    counts.withLock { $0[what] = ($0[what] ?? 0).adding(Int64(count)) }
  }

  /// The counts so far.
  package var all: [String: Int64] { counts.withLock(\.self) }
}
