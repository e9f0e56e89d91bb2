import AgentJSON
import AgentQueries
import Testing

/// The queries that live-agent's own sources hold, run from end to end.
struct QueryExampleTests {
  @Test func `the sample module's query for frequent trades gives the expected rows`() throws {
    let run = try QueryRun(
      "krakenfx => count() by pair every 30 seconds over last 60 seconds "
        + "=> @filter(count > 100)")
    run.start(at: 0)
    for number in 0..<240 {
      let time = Int64(number) * 250
      run.advance(to: time)
      run.take(time, ["type": "krakenfx", "pair": "EUR"])
      if number % 4 == 0 { run.take(time, ["type": "krakenfx", "pair": "GBP"]) }
      run.take(time, ["type": "other", "pair": "EUR"])
    }
    run.advance(to: 120_000)
    #expect(
      run.batches.map { ($0.rows.map(\.description)) } == [
        [#"{"timestamp":30000,"pair":"EUR","count":120}"#],
        [#"{"timestamp":60000,"pair":"EUR","count":240}"#],
        [#"{"timestamp":90000,"pair":"EUR","count":120}"#],
      ])
  }

  @Test func `a monitor's query for the last values of curves gives the expected rows`() throws {
    let run = try QueryRun(
      """
      raw_well1 mnemonic!:(RPM|TOR) .flags:nocount
      => lastv(value:object):if(\\mnemonic:RPM) as RPM, \
      lastv(value:object):if(\\mnemonic:TOR) as TOR, \
      lastv(uom:object):if(\\mnemonic:RPM) as RPM_uom over last second every second
      => @filter(RPM != null)
      """)
    run.start(at: 0)
    func take(_ time: Int64, mnemonic: JSONValue, value: JSONValue) {
      run.take(
        time, ["type": "raw_well1", "mnemonic": mnemonic, "value": value, "uom": "rpm"])
    }
    take(100, mnemonic: "RPM", value: 80)
    take(200, mnemonic: "TOR", value: 12.5)
    take(300, mnemonic: "RPM", value: 82)
    take(400, mnemonic: "WOB", value: 1)
    run.advance(to: 1_000)
    take(1_100, mnemonic: "TOR", value: 13)
    run.advance(to: 2_000)
    take(2_500, mnemonic: "RPM", value: 90)
    run.advance(to: 3_000)
    #expect(
      run.rows == [
        ["RPM": 82, "TOR": 12.5, "RPM_uom": "rpm"],
        ["RPM": 90, "TOR": .null, "RPM_uom": "rpm"],
      ])
    #expect(run.batches.map(\.time) == [1_000, 3_000])
  }

  /// Its flow-rate monitor has plain values beside aggregations. Which row's they are isn't said in
  /// anything public, so they are refused; `last(…)` says what its names mean.
  @Test func `a query for changes of a flow rate works once the value is named`() throws {
    func query(_ value: String, _ mnemonic: String) -> String {
      """
      raw_well1 mnemonic!:(POFR|POTFR)
      => \(value) as current_value,
         value#:round(0):dcount() as num_changes,
         value#:round(0):set() as values_list,
         timestamp:min() as start,
         timestamp:max() as end,
         \(mnemonic)
        by mnemonic
        every 5 seconds over last 60 seconds
      => @filter(num_changes >= 3)
      => @throttle 1, 60 seconds
      """
    }
    #expect {
      _ = try QueryRun(query("value", "mnemonic"))
    } throws: { error in
      (error as? QueryError).map { "\($0.place)" == "2:4" && $0.message.contains("last(field)") }
        ?? false
    }
    let run = try QueryRun(query("last(value)", "mnemonic"))
    run.start(at: 0)
    let values: [(Int64, Double)] = [
      (1_000, 1.2), (2_000, 2.2), (3_000, 2.4), (4_000, 7), (6_000, 9),
    ]
    for (time, value) in values {
      run.advance(to: time)
      run.take(
        time, ["type": "raw_well1", "mnemonic": "POFR", "value": JSONValue(value)])
      run.take(time, ["type": "raw_well1", "mnemonic": "POTFR", "value": 1])
    }
    run.advance(to: 20_000)
    #expect(
      run.rows == [
        [
          "mnemonic": "POFR", "current_value": 7, "num_changes": 3, "values_list": [1, 2, 7],
          "start": 1_000, "end": 4_000,
        ]
      ])
    #expect(run.batches.map(\.time) == [5_000])
  }

  @Test func `a chatbot's query finds messages by its name, without its own`() throws {
    let run = try QueryRun(
      """
      __message -__delete:*
      => @filter(message:lower():contains("bot") && author->name:lower() != "bot")
      """)
    run.start(at: 0)
    func take(_ message: JSONValue, author: JSONValue, rest: JSONObject = [:]) {
      var object = rest
      object["type"] = "__message"
      object["message"] = message
      object["author"] = ["name": author]
      run.take(1, object)
    }
    take("hello Bot", author: "Ada")
    take("hello all", author: "Ada")
    take("I am the Bot", author: "BOT")
    take("forget it, bot", author: "Ada", rest: ["__delete": true])
    #expect(run.rows.map { $0["message"] } == ["hello Bot"])
    #expect(run.batches.first?.rows.first?["timestamp"] == 1)
  }
}
