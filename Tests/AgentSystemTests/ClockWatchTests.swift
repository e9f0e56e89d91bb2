import AgentSystem
import Testing

@Suite struct ClockWatchTests {
  private static func sample(_ wall: Int64, _ steady: Int64) -> ClockSample {
    ClockSample(wall: Timestamp(milliseconds: wall), steady: .milliseconds(steady))
  }

  @Test func `a clock that runs normally hasn't jumped`() {
    var watch = ClockWatch()
    #expect(watch.jump(at: Self.sample(1_000, 0)) == .zero)
    #expect(watch.jump(at: Self.sample(61_030, 60_000)) == .zero)
    // Being kept right for hours isn't a jump either.
    #expect(watch.jump(at: Self.sample(121_130, 120_000)) == .zero)
    #expect(watch.isTrusted(at: Self.sample(121_130, 120_000)))
  }

  @Test(arguments: [3_600_000, -3_600_000, -300, 400_000_000_000] as [Int64])
  func `a clock that was set has jumped by the difference, once`(_ jump: Int64) {
    var watch = ClockWatch()
    _ = watch.jump(at: Self.sample(1_000, 0))
    #expect(watch.jump(at: Self.sample(2_000 + jump, 1_000)) == .milliseconds(jump))
    #expect(watch.jump(at: Self.sample(3_000 + jump, 2_000)) == .zero)
  }

  @Test func `after a jump the clock isn't trusted for an hour`() {
    var watch = ClockWatch()
    _ = watch.jump(at: Self.sample(0, 0))
    _ = watch.jump(at: Self.sample(90_000_000, 1_000))
    #expect(!watch.isTrusted(at: Self.sample(93_599_999, 3_600_999)))
    #expect(watch.isTrusted(at: Self.sample(93_600_000, 3_601_000)))
  }

  @Test func `a difference within the tolerance isn't a jump`() {
    var watch = ClockWatch(tolerance: .seconds(600))
    #expect(watch.trusts(Self.sample(0, 0)) == true)
    #expect(watch.trusts(Self.sample(599_999, 0)) == true)
    #expect(watch.trusts(Self.sample(1_199_999, 0)) == false)
  }

  @Test func `a sample is repeated when something came between its halves`() {
    var steady = [0, 900, 1_000, 1_000].map { Duration.milliseconds($0) }.makeIterator()
    var walls = ([5_000, 6_000] as [Int64]).makeIterator()
    let sample = ClockSample(wall: { walls.next() ?? 0 }, steady: { steady.next() ?? .zero })
    #expect(sample == Self.sample(6_000, 1_000))
    #expect(ClockSample.steady() <= ClockSample.steady())
  }
}
