import Synchronization
import TestSupport
import Testing

@testable import AgentWeb

@Suite(.timeLimit(.minutes(5))) struct ReadAheadBudgetTests {
  /// A budget of 64 pieces, a clock, and pauses that a test ends.
  private final class Scene: Sendable {
    let budget: ReadAheadBudget
    private let time: Time
    private let acts = Mutex<[String]>([])
    private let told = Endings()
    private let rounds: AsyncStream<Void>.Continuation

    private final class Endings: Sendable {
      let all = Mutex<[EndedConnection]>([])
    }

    private final class Time: Sendable {
      let now = Mutex(Duration.zero)
      let pauses = Atomic(0)
    }

    init() {
      let (stream, rounds) = AsyncStream.makeStream(of: Void.self)
      self.rounds = rounds
      let time = Time()
      self.time = time
      budget = ReadAheadBudget(
        maxBytes: 64 * ReadAhead.pieceSize,
        pause: { _ in
          time.pauses.add(1, ordering: .relaxed)
          for await _ in stream { return }
        }, now: { time.now.withLock(\.self) },
        ended: { [told] connection in told.all.withLock { $0.append(connection) } })
    }

    var done: [String] { acts.withLock(\.self) }
    /// The connections that the budget has reported as ended.
    var ended: [EndedConnection] { told.all.withLock(\.self) }

    func share(_ name: String) -> ReadAheadBudget.Share {
      budget.share(
        of: { name },
        end: { [weak self] in self?.acts.withLock { $0.append("ends \(name)") } },
        resume: { [weak self] in self?.acts.withLock { $0.append("resumes \(name)") } })
    }

    /// Passes the time until the next look.
    func look() async throws {
      try await wait(while: time.pauses.load(ordering: .relaxed) == 0)
      time.now.withLock { $0 += ReadAheadBudget.patience }
      rounds.yield()
    }
  }

  private let piece = ReadAhead.pieceSize

  @Test func `a connection reads while three quarters aren't used, and waits then`() {
    let scene = Scene()
    let (first, second, third) = (scene.share("1"), scene.share("2"), scene.share("3"))
    first.set(47 * piece)
    #expect(second.mayRead())
    second.set(piece)
    #expect(!third.mayRead() && !second.mayRead())
    #expect(scene.budget.bytes == 48 * piece)
    first.set(46 * piece)
    #expect(scene.done == ["resumes 3"])
    second.end()
    #expect(third.mayRead())
    #expect(scene.budget.bytes == 46 * piece)
  }

  @Test func `a read that comes later doesn't overtake one that waits`() {
    let scene = Scene()
    let (first, second, third) = (scene.share("1"), scene.share("2"), scene.share("3"))
    first.set(48 * piece)
    #expect(!second.mayRead())
    first.set(48 * piece - 1)
    #expect(!third.mayRead())
    first.end()
    #expect(scene.done == ["resumes 2", "resumes 3"])
  }

  @Test func `what doesn't fit ends the connection that holds the most`() {
    let scene = Scene()
    let (small, large, late) = (scene.share("small"), scene.share("large"), scene.share("late"))
    small.set(10 * piece)
    large.set(30 * piece)
    late.set(24 * piece)
    #expect(scene.done == [])
    late.set(25 * piece)
    #expect(scene.done == ["ends large"])
    #expect(scene.budget.bytes == 35 * piece)
    late.set(60 * piece)
    #expect(scene.done == ["ends large", "ends late"])
    #expect(
      scene.ended == [
        EndedConnection(peer: "large", bytes: 30 * piece, maxBytes: 64 * piece),
        EndedConnection(peer: "late", bytes: 60 * piece, maxBytes: 64 * piece),
      ])
    // It has ended, and counts no more.
    late.set(60 * piece)
    #expect(!late.mayRead())
    #expect(scene.budget.bytes == 10 * piece)
  }

  @Test func `a connection that has waited for long ends the largest, of equals the oldest`()
    async throws
  {
    let scene = Scene()
    let shares = (0..<12).map { scene.share("\($0)") }
    for share in shares { share.set(4 * piece) }
    let late = scene.share("late")
    #expect(!late.mayRead())
    try await scene.look()
    try await wait(while: scene.done.last != "resumes late")
    #expect(scene.done == ["ends 0", "ends 1", "ends 2", "ends 3", "resumes late"])
    #expect(scene.budget.bytes == 32 * piece)
    #expect(scene.ended.map(\.peer) == ["0", "1", "2", "3"])
    withExtendedLifetime(shares) {}
  }
}
