import AgentJSON
import AgentPlot
import Testing

/// 2026-11-22, 12:00 UTC.
private let noon = 1_795_348_800_000

/// A column `n` over time, a minute a value.
private func data(_ values: [Double], every step: Int = 60_000) -> PlotData {
  var data = PlotData()
  for (index, value) in values.enumerated() {
    data.add(["timestamp": JSONValue(noon + index * step), "n": JSONValue(value)])
  }
  return data
}

private func chart(
  _ data: PlotData, width: Int = 40, height: Int = 10, colors: Bool = false
) -> String {
  Plot(width: width, height: height, hasColors: colors).lines(of: data).joined(separator: "\n")
}

@Suite struct PlotTests {
  @Test func `a line is drawn over minutes`() {
    #expect(
      chart(data([0, 1, 2, 3, 4, 5, 4, 3, 2, 1, 0])) == """
        5 ┤                ⣀⠔⠊⠒⢄
          │             ⢀⠔⠉     ⠉⠢⡀
          │           ⡠⠊⠁         ⠈⠑⢄
          │        ⣀⠔⠉               ⠉⠢⣀
          │     ⢀⠤⠊                     ⠑⠤⡀
          │  ⢀⡠⠒⠁                         ⠈⠒⢄⡀
        0 ┤⡠⠔⠁                               ⠈⠢⢄
          └┬─────────────────┬─────────────────┬
           12:00           12:05           12:10
        n 0   2026-11-22
        """)
  }

  @Test func `groups without colors are distinguished by their characters`() {
    var data = PlotData(groups: ["pair"])
    for minute in 0..<11 {
      for (pair, value) in [("BTC", minute), ("ETH", 10 - minute)] {
        data.add([
          "timestamp": JSONValue(noon + minute * 60_000), "pair": .string(pair),
          "count": JSONValue(value),
        ])
      }
    }
    #expect(
      chart(data) == """
        10 ┤++                                **
           │  +++++++                  *******
           │         +++++++    *******
         5 ┤             ***+++++++
           │      *******          +++++++
         0 ┤******                        ++++++
           └┬─────────────────┬────────────────┬
            12:00           12:05          12:10
        * BTC count 10   + ETH count 0
        2026-11-22
        """)
  }

  @Test func `groups with colors have dots, each in its color`() {
    var data = PlotData(groups: ["pair"])
    for minute in 0..<2 {
      for (pair, value) in [("BTC", minute), ("ETH", 1 - minute)] {
        data.add([
          "timestamp": JSONValue(noon + minute * 60_000), "pair": .string(pair),
          "count": JSONValue(value),
        ])
      }
    }
    let text = chart(data, width: 24, height: 6, colors: true).replacing("\u{1B}", with: "^")
    #expect(
      text == """
        1.0 ┤^[33m⠉⠒⠒⠤⢄⣀^[0m       ^[36m⣀⡠⠤⠒⠒⠉^[0m
        0.5 ┤      ^[33m⣉⣉⠶⠶⠶⣉⣉^[0m
          0 ┤^[36m⣀⠤⠤⠒⠊⠉^[0m       ^[33m⠉⠑⠒⠤⠤⣀^[0m
            └┬─────────────────┬
             12:00         12:01
        ^[36m●^[0m BTC count 1
        ^[33m●^[0m ETH count 0
        2026-11-22
        """)
  }

  @Test(
    arguments: [
      ([0.0, 1.0], ["1.0", "0.5", "0"]), ([0, 120_000], ["150k", "100k", "50k", "0"]),
      ([-3, 3], ["5", "0", "-5"]), ([5, 5], ["6", "4", "2", "0"]), ([0, 0], ["1.0", "0.5", "0"]),
      ([0.00012, 0.00031], ["0.0004", "0.0003", "0.0002", "0.0001"]),
      ([1e9, 1.5e9], ["1.6G", "1.4G", "1.2G", "1.0G"]),
      ([1e300, -1e308], ["1e300", "0", "-1e300"]), ([1e-300, 3e-300], ["1.0", "0.5", "0"]),
      ([1e15, 1e15 + 1], ["1500T", "1000T", "500T", "0"]),
      ([-7_300_000, -100], ["0", "-5M", "-10M"]),
    ] as [([Double], [String])]) func `values have round labels`(values: [Double], labels: [String])
  {
    let lines = Plot(width: 60, height: 12).lines(of: data(values))
    let found = lines.compactMap { line in
      line.firstIndex(of: "┤").map { line[..<$0].filter { $0 != " " } }
    }
    #expect(found == labels)
  }

  @Test(arguments: [
    (1, 10, "12:00:00.000 12:00:00.500 12:00:01.000"),
    (100, 31, "12:00:00 12:00:01 12:00:02 12:00:03"), (1000, 30, "12:00:00 12:00:10 12:00:20"),
    (60_000, 60, "12:00 12:10 12:20 12:30 12:40 12:50"),
    (3_600_000, 40, "12:00 18:00 11-23 06:00 12:00 18:00 11-24"),
    (86_400_000, 20, "11-26 12-03 12-10"), (86_400_000, 200, "2027-01 2027-03 2027-05"),
    (86_400_000, 1000, "2027 2028 2029"), (86_400_000, 40_000, "2050 2100"),
  ]) func `times have round labels`(step: Int, count: Int, labels: String) {
    let lines = Plot(width: 60, height: 8).lines(
      of: data((0..<count).map { Double($0 % 7) }, every: step))
    let found = lines.last { $0.hasPrefix(" ") }?.split(separator: " ").joined(separator: " ")
    #expect(found == labels)
  }

  @Test func `times are shown in the chosen zone`() {
    let plot = Plot(width: 40, height: 8, offset: 5_400_000)
    let text = plot.lines(of: data([1, 2, 3])).joined(separator: "\n")
    #expect(text.contains(" 13:30 ") && text.contains(" 13:32"), "\(text)")
  }

  @Test func `a spike among a hundred thousand values is drawn`() {
    var values = [Double](repeating: 1, count: 100_000)
    values[61_234] = 100
    let lines = Plot(width: 60, height: 10).lines(of: data(values, every: 10))
    #expect(lines.count == 10 && lines[0].hasPrefix("100 ┤"))
    #expect(lines[0].count > 6, "\(lines[0])")
  }

  @Test func `rows may come in any order`() {
    var (ordered, mixed) = (PlotData(), PlotData())
    let rows = (0..<500).map { n -> JSONObject in
      ["timestamp": JSONValue(noon + n * 1000), "n": JSONValue(n * n % 97)]
    }
    for row in rows { ordered.add(row) }
    for index in rows.indices { mixed.add(rows[(index * 7) % 500]) }
    #expect(
      chart(ordered).split(separator: "\n").dropLast()
        == chart(mixed).split(separator: "\n").dropLast())
  }

  @Test func `series beyond the distinguishable ones are counted`() {
    var data = PlotData(groups: ["host"])
    for number in 0..<20 {
      data.add([
        "timestamp": JSONValue(noon), "host": .string("h\(number)"), "load": JSONValue(number),
      ])
    }
    let text = chart(data, width: 100, height: 12)
    #expect(text.contains("h7 load 7") && !text.contains("h8 load"))
    #expect(text.contains("and 12 more that aren't drawn"))
  }

  @Test func `invalid rows are skipped`() {
    var data = PlotData(groups: ["g"])
    #expect(data.isEmpty && chart(data) == "")
    #expect(data.reasonForNothing == "There is nothing to draw: no rows came.")
    for row: JSONObject in [
      [:], ["n": 1], ["timestamp": "soon", "n": 1], ["timestamp": JSONValue(Int.min), "n": 1],
      ["timestamp": JSONValue(Int.max), "n": 1], ["timestamp": 5, "text": "a"],
      ["timestamp": 5, "n": .null], ["timestamp": 5, "g": 7],
    ] { data.add(row) }
    #expect(data.isEmpty)
    #expect(data.reasonForNothing.contains("no column of the 8 rows has numbers"))
    data.add(["timestamp": -8_640_000_000_000_000, "g": "\u{1B}[2J\u{9B}x", "n": 1e308])
    data.add(["timestamp": 8_640_000_000_000_000, "g": "\u{1B}[2J\u{9B}x", "n": -1e308])
    let text = chart(data, width: 1, height: 1)
    #expect(!text.contains("\u{1B}") && !text.contains("\u{9B}") && text.contains("?[2J?x n"))
    #expect(text.split(separator: "\n").count >= 6)
  }
}
