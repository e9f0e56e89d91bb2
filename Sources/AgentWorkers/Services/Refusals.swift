internal import AgentJSON
internal import AgentSystem
internal import Synchronization

/// Counts how often the host has refused requests of one worker, for each kind of request. Safe
/// from every thread.
///
/// A module may ignore an ERROR and repeat its request without end. These counts show that to a
/// person.
package final class Refusals: Sendable {
  private let counts = Mutex<[String: Int64]>([:])

  init() {}

  /// Adds refusals to the count of one kind of request.
  /// - Parameter what: the id of a service that the host offers, or a word of the host. It is never
  ///   a text from the worker, because a worker could send any number of different texts.
  func count(_ what: String, _ count: Int = 1) {
    guard count > 0 else { return }
    counts.withLock { $0[what] = ($0[what] ?? 0).adding(Int64(count)) }
  }

  /// The counts so far.
  package var all: [String: Int64] { counts.withLock(\.self) }
}
