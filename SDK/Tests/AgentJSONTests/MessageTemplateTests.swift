import AgentJSON
import Testing

@Suite struct MessageTemplateTests {
  private static func text(_ template: String, _ row: JSONObject) throws -> String {
    try MessageTemplate(parsing: template).render(row).text
  }

  @Test(arguments: [
    ("{pair}: {count} trades", "BTC: 120 trades"), ("{{{pair}}}", "{BTC}"), ("{{pair}}", "{pair}"),
    ("{ pair }", "BTC"), ("{author.name}", "Ada"), ("{a.b}", "dots"), ("", ""), ("}}{{", "}{"),
    ("{price}", "3.142"), ("{price:.2}", "3.14"), ("{price: .0}", "3"), ("{count:.1}", "120.0"),
    ("{tags}", #"["x",1]"#), ("{none}", "null"), ("{pair:.2}", "BTC"), ("{at:date}", "2024-02-29"),
    ("{at:time}", "10:05:00"), ("{length:duration}", "2 min 5 s"), ("{tiny}", "0.000123"),
    ("{big}", "1e+300"), ("{half:.0}", "3"), ("{low:.1}", "-0.1"), ("{zero:.1}", "0.0"),
  ])
  func `a column is written as a person reads it`(template: String, expected: String) throws {
    let row: JSONObject = [
      "pair": "BTC", "count": 120, "price": 3.14159, "author": ["name": "Ada"], "a.b": "dots",
      "tags": ["x", 1], "none": .null, "at": 1_709_201_100_500, "length": 125_000,
      "tiny": 0.000123, "big": 1e300, "half": 2.5, "low": -0.06, "zero": -0.0001,
    ]
    #expect(try Self.text(template, row) == expected)
  }

  @Test func `a missing column is shown and named`() throws {
    let rendered = try MessageTemplate(parsing: "{cuont} of {pair}").render(["pair": "BTC"]
    )
    #expect(rendered == .init(text: "{cuont?} of BTC", unknown: ["cuont"]))
  }

  @Test(arguments: [
    ("{pair", "{pair has no }. Write {{ for the sign itself."),
    ("pair}", "a } without a {. Write }} for the sign itself."),
    ("{}", "{} names nothing. Write {{ for the sign itself."),
    ("{a{b}}", "a { inside of {…}. Write {{ for the sign itself."),
    (
      "{a:x}",
      "{a:x} has no format that is known here. Known: .0 to .9 for decimals, date, time and duration."
    ),
  ])
  func `a text that is no template is refused with the reason`(template: String, message: String) {
    #expect {
      _ = try MessageTemplate(parsing: template)
    } throws: { ($0 as? MessageTemplateError)?.message == message }
  }

  @Test(
    arguments: [
      (0, "1970-01-01", "00:00:00"), (-1, "1969-12-31", "23:59:59"),
      (951_782_400_000, "2000-02-29", "00:00:00"), (4_107_542_399_999, "2100-02-28", "23:59:59"),
      (Int64.min, "-292275055-05-16", "16:47:04"), (Int64.max, "292278994-08-17", "07:12:55"),
    ] as [(Int64, String, String)])
  func `moments are written as calendar times`(time: Int64, date: String, clock: String) {
    #expect(CalendarMoment(time).date == date)
    #expect(CalendarMoment(time).time == clock)
  }

  @Test(
    arguments: [
      (0, "0 ms"), (999, "999 ms"), (1000, "1 s"), (3_600_000, "1 h"), (90_061_000, "1 d 1 h"),
      (-61_000, "-1 min 1 s"), (Int64.min, "-106751991167 d 7 h"),
    ] as [(Int64, String)])
  func `a duration is written in its two largest units`(milliseconds: Int64, text: String) {
    #expect(CalendarMoment.duration(milliseconds) == text)
  }
}
