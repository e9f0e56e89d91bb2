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

    func pass(_ duration: Duration) { time.now.withLock { $0 += duration } }

    /// Passes the time until the next look.
    func look(after duration: Duration = ReadAheadBudget.patience) async throws {
      try await wait(while: time.pauses.load(ordering: .relaxed) == 0)
      pass(duration)
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

  @Test func `a connection that was resumed reads once, although others wait`() {
    let scene = Scene()
    let (first, second, third) = (scene.share("1"), scene.share("2"), scene.share("3"))
    first.set(48 * piece)
    #expect(!second.mayRead() && !third.mayRead())
    first.set(47 * piece)
    #expect(scene.done == ["resumes 2"])
    // The piece is kept, whatever the others do.
    third.end()
    let late = scene.share("late")
    #expect(!late.mayRead())
    #expect(second.mayRead())
    #expect(!second.mayRead())
    #expect(scene.done == ["resumes 2"])
    withExtendedLifetime((first, late)) {}
  }

  @Test func `a piece that its connection releases or leaves is another's`() {
    let scene = Scene()
    let (first, second) = (scene.share("1"), scene.share("2"))
    let (third, fourth) = (scene.share("3"), scene.share("4"))
    first.set(48 * piece)
    #expect(!second.mayRead() && !third.mayRead() && !fourth.mayRead())
    first.set(47 * piece)
    second.releasePiece()
    #expect(scene.done == ["resumes 2", "resumes 3"])
    third.end()
    #expect(scene.done == ["resumes 2", "resumes 3", "resumes 4"])
    #expect(!second.mayRead() && fourth.mayRead())
    withExtendedLifetime(first) {}
  }

  @Test func `a connection waits no longer because others come and go`() async throws {
    let scene = Scene()
    let large = scene.share("large")
    let waiting = ["resumes 2": scene.share("2"), "resumes 3": scene.share("3")]
    large.set(48 * piece)
    for act in ["resumes 2", "resumes 3"] { #expect(waiting[act]?.mayRead() == false) }
    large.set(47 * piece)
    var (handled, reads) = (0, [String]())
    for round in 1...4 {
      let done = scene.done
      for act in done.dropFirst(handled) where waiting[act]?.mayRead() == true {
        waiting[act]?.set(piece)
        reads.append(act)
      }
      handled = done.count
      scene.pass(.seconds(1))
      let passing = scene.share("passing \(round)")
      #expect(!passing.mayRead())
      passing.end()
    }
    try #require(reads == ["resumes 2"])
    // The third has waited for five seconds by now.
    try await scene.look(after: .seconds(1))
    try await wait(while: scene.done.last != "resumes 3")
    #expect(scene.ended.map(\.peer) == ["large"])
    #expect(waiting["resumes 3"]?.mayRead() == true)
    withExtendedLifetime((large, waiting)) {}
  }

  @Test func `nobody is ended for a connection that has room`() async throws {
    let scene = Scene()
    let (large, second, third) = (scene.share("large"), scene.share("2"), scene.share("3"))
    large.set(48 * piece)
    #expect(!second.mayRead() && !third.mayRead())
    large.set(47 * piece)
    // It reads nothing yet, so its piece isn't used.
    try #require(second.mayRead())
    try await scene.look()
    try await wait(while: scene.done.last != "resumes 3")
    #expect(scene.done == ["resumes 2", "resumes 3"])
    withExtendedLifetime((large, second, third)) {}
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
