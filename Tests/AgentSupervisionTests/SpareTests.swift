import Glibc
import Synchronization
import Testing

// A loop that refuses descriptors is made inside of the target only.
@testable import AgentSupervision

@Suite(.timeLimit(.minutes(5))) struct SpareTests {
  /// The pids whose descriptors a loop was to watch, in that order.
  private final class Watches: Sendable {
    private let pids = Mutex<[Int32]>([])

    var all: [Int32] { pids.withLock(\.self) }

    /// Returns the place of a process among those that were to be watched, from 1 on; 0 for another
    /// descriptor.
    func place(of descriptor: Int32) -> Int {
      guard let pid = Self.pid(of: descriptor) else { return 0 }
      return pids.withLock { pids in
        pids.append(pid)
        return pids.count
      }
    }

    /// The process behind a descriptor, if it is that of one.
    static func pid(of descriptor: Int32) -> Int32? {
      ProcessStat.withFile("/proc/self/fdinfo/\(descriptor)") { text in
        String(decoding: text, as: UTF8.self).split(separator: "\n")
          .first { $0.hasPrefix("Pid:") }.flatMap { Int32($0.dropFirst(4).filter(\.isNumber)) }
      }
    }
  }

  @Test func `a spare that can't be watched is ended and another takes its place`() async throws {
    let watches = Watches()
    let events = EventLog()
    // The first process is the child, the second its spare.
    let loop = try EventLoop(name: "refusing") { watches.place(of: $0) != 2 }
    let supervisor = Supervisor(loop: loop, configuration: .init(killsOrphans: false)) {
      events.append($0)
    }
    try await supervisor.add(.shell("a", spareKey: "k")) { TestChannel($0) }
    try await supervisor.start("a")
    let problem = await events.next { event -> String? in
      if case .problem(let message) = event.kind { message } else { nil }
    }
    #expect(problem == "A spare of k can't be watched and was ended.")
    let next = await events.next { $0.sparePID }
    let refused = watches.all[1]
    #expect(next != refused && isAlive(next))
    // It is reaped, too: a zombie would count.
    try await ended(refused)
    await supervisor.shutdown()
  }
}
