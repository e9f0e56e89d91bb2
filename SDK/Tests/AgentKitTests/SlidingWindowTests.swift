import AgentJSON
import AgentKit
import Testing

@Suite struct SlidingWindowTests {
  private static func byETIM(
    _ mnemonics: [String] = ["A"], carry: Duration? = nil, restartAfter: Int = 3,
    capacity: Int = 1_000
  ) -> SlidingWindow {
    SlidingWindow(
      of: mnemonics, index: .mnemonic("ETIM", unit: .seconds(1)), duration: .seconds(10),
      carry: carry, restartAfter: restartAfter, capacity: capacity)
  }

  private static func row(_ values: JSONObject, at time: Int64 = 0) -> QueryRow {
    QueryRow(timestamp: time, values: values)
  }

  @Test func `a window holds the rows of its duration before the last, both ends included`() {
    var window = Self.byETIM()
    for etim in [0, 4, 9.5, 10, 14] {
      #expect(
        window.take(Self.row(["ETIM": JSONValue(etim), "A": JSONValue(etim * 2)]), at: 0) == .added)
    }
    #expect(window.positions == [4, 9.5, 10, 14])
    #expect(window.numbers("A") == [8, 19, 20, 28])
    #expect(window.length == 10)
    #expect(window.latest?.position == 14)
    #expect(window.numbers("B") == [])
  }

  @Test func `without an index mnemonic the row's moment counts`() {
    var window = SlidingWindow(of: ["A"], duration: .seconds(10))
    for time in [0, 5_000, 15_000, 15_001] {
      #expect(window.take(Self.row(["A": 1], at: Int64(time)), at: 0).moved)
    }
    #expect(window.positions == [15_000, 15_001])
  }

  @Test func `an incomplete row isn't kept, and its missing columns are reported`() {
    var window = Self.byETIM(["A", "B", "C"])
    let row = Self.row(["ETIM": 1, "A": 1, "B": .null])
    #expect(window.take(row, at: 0) == .incomplete(["B", "C"]))
    #expect(window.take(Self.row(["A": 1, "B": 1, "C": 1]), at: 0) == .incomplete(["ETIM"]))
    #expect(
      window.take(Self.row(["ETIM": "x", "A": 1, "B": 1, "C": 1]), at: 0) == .incomplete(["ETIM"]))
    #expect(window.count == 0 && window.length == 0 && window.latest == nil)
  }

  @Test func `values may be carried forward for a limited span, and never back`() {
    var window = Self.byETIM(["A", "B"], carry: .seconds(3))
    #expect(window.take(Self.row(["ETIM": 1, "A": 1]), at: 0) == .incomplete(["B"]))
    #expect(window.take(Self.row(["ETIM": 2, "B": 20]), at: 0) == .added)
    #expect(window.take(Self.row(["ETIM": 5, "A": 3]), at: 0) == .added)
    #expect(window.take(Self.row(["ETIM": 6, "A": 4]), at: 0) == .incomplete(["B"]))
    #expect(window.take(Self.row(["ETIM": 1.5, "A": 9]), at: 0) == .incomplete(["B"]))
    #expect(window.take(Self.row(["ETIM": 7, "B": 30]), at: 0) == .added)
    #expect(window.numbers("A") == [1, 3, 4])
    #expect(window.numbers("B") == [20, 20, 30])
  }

  @Test func `late rows are put in their place or dropped`() {
    var window = Self.byETIM()
    for (etim, outcome) in [
      (20, SlidingWindow.Outcome.added), (12, .added), (15, .added), (9, .late), (10, .added),
      (9.9, .late), (21, .added), (10.5, .late),
    ] {
      let row = Self.row(["ETIM": JSONValue(etim), "A": JSONValue(etim)])
      #expect(window.take(row, at: 0) == outcome, "\(etim)")
    }
    #expect(window.numbers("A") == [12, 15, 20, 21])
  }

  @Test func `the first of two rows at one position is kept`() {
    var window = Self.byETIM()
    for example in [
      (etim: 1, value: 1, outcome: SlidingWindow.Outcome.added),
      (etim: 2, value: 2, outcome: .added), (etim: 1, value: 3, outcome: .duplicate),
      (etim: 2, value: 4, outcome: .duplicate),
    ] {
      let row = Self.row(["ETIM": JSONValue(example.etim), "A": JSONValue(example.value)])
      #expect(window.take(row, at: 0) == example.outcome)
    }
    #expect(window.numbers("A") == [1, 2])
  }

  @Test func `an index that was set back starts anew once it stays there`() {
    var window = Self.byETIM(carry: .seconds(5))
    func take(_ etim: Double) -> SlidingWindow.Outcome {
      window.take(Self.row(["ETIM": JSONValue(etim), "A": JSONValue(etim)]), at: 0)
    }
    #expect([100, 101].map(take) == [.added, .added])
    #expect([1, 2].map(take) == [.late, .late])
    #expect(take(102) == .added)
    #expect([1, 2, 3, 4].map(take) == [.late, .late, .restarted, .added])
    #expect(window.positions == [1, 2, 3, 4])
    // A value that was known later is of no use now.
    #expect(window.take(Self.row(["ETIM": 3.5]), at: 0) == .incomplete(["A"]))
  }

  @Test func `a row far ahead makes the window start anew without stopping the monitor`() {
    var window = Self.byETIM()
    func take(_ etim: Double) -> SlidingWindow.Outcome {
      window.take(Self.row(["ETIM": JSONValue(etim), "A": 1]), at: 0)
    }
    #expect([1, 1e15, 2, 3, 4].map(take) == [.added, .added, .late, .late, .restarted])
    #expect(window.positions == [2, 3, 4])
    #expect([-1e300, 1e300, 5].map(take) == [.late, .added, .late])
  }

  @Test func `a window holds no more rows than its capacity`() {
    var window = Self.byETIM(capacity: 3)
    for number in 0..<500 {
      _ = window.take(
        Self.row(["ETIM": JSONValue(Double(number) / 100), "A": JSONValue(number)]), at: 0)
      #expect(window.count == min(number + 1, 3))
    }
    #expect(window.numbers("A") == [497, 498, 499])
  }

  @Test func `a window keeps the rows that a plain recomputation keeps`() {
    var random = Seeded(state: 7)
    for _ in 0..<30 {
      var window = Self.byETIM(restartAfter: .max)
      var kept: [Double] = []
      for _ in 0..<200 {
        let etim = Double(random.next(200)) / 4 + Double(kept.count) / 8
        let before = kept.max() ?? -.infinity
        if etim >= before - 10, !kept.contains(etim) { kept.append(etim) }
        let last = kept.max() ?? 0
        kept = kept.filter { $0 >= last - 10 }
        _ = window.take(Self.row(["ETIM": JSONValue(etim), "A": 1]), at: 0)
        #expect(window.positions == kept.sorted())
      }
    }
  }

  @Test func `a value that isn't a number reads as NaN`() {
    var window = Self.byETIM()
    for (etim, value) in [(1, JSONValue("on")), (2, 5)] {
      _ = window.take(Self.row(["ETIM": JSONValue(etim), "A": value]), at: 0)
    }
    #expect(window.values("A") == ["on", 5])
    #expect(window.numbers("A")[0].isNaN && window.numbers("A")[1] == 5)
  }

  @Test func `a missing mnemonic is reported once after a while, and so is its return`() {
    var window = SlidingWindow(of: ["A", "B"], duration: .seconds(10), patience: .seconds(60))
    #expect(window.changes(at: 0) == [])
    #expect(window.take(Self.row(["A": 1]), at: 30_000) == .incomplete(["B"]))
    #expect(window.changes(at: 59_999) == [])
    #expect(window.changes(at: 60_000) == [.missing(["B"])])
    #expect(window.missing == ["B"])
    #expect(window.changes(at: 89_999) == [])
    #expect(window.changes(at: 90_000) == [.missing(["A"])])
    _ = window.take(Self.row(["A": 1, "B": 1]), at: 91_000)
    #expect(window.changes(at: 91_000) == [.returned(["A", "B"])])
    #expect(window.missing == [])
    #expect(window.changes(at: 151_000) == [.missing(["A", "B"])])
  }

  @Test func `a clock that was set back reports nothing twice or too soon`() {
    var window = SlidingWindow(of: ["A"], duration: .seconds(10), patience: .seconds(60))
    _ = window.take(Self.row(["A": 1]), at: 1_000_000)
    #expect(window.changes(at: 10_000) == [])
    #expect(window.changes(at: 69_999) == [])
    #expect(window.changes(at: 70_000) == [.missing(["A"])])
    #expect(window.changes(at: 0) == [])
    #expect(window.changes(at: .max) == [] && window.changes(at: .min) == [])
  }

  /// A small generator with a seed (SplitMix64), so that a failure comes again.
  private struct Seeded {
    var state: UInt64

    mutating func next(_ bound: UInt64) -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return (mixed ^ (mixed >> 31)) % bound
    }
  }
}
