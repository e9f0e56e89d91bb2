import AgentJSON
import Testing

/// Settings that aren't JSON, or aren't what the schema asks for: file, line, column, a sentence.
@Suite struct SettingsErrorTests {
  private static let broken: [(name: String, bytes: [UInt8], place: String, words: String)] = [
    ("malformed", Array("{\n  \"agent\": {},\n  \"processes\": {,}\n}".utf8), "3:17", ""),
    ("cut off", Array("{\n  \"agent\": {".utf8), "2:13", ""),
    ("duplicate key", Array("{\n  \"agent\": {},\n  \"agent\": {}\n}".utf8), "3:3", "agent"),
    (
      "too deep", Array((#"{"agent": "# + String(repeating: "[", count: 100)).utf8), "1:",
      "deep"
    ),
    (
      "no UTF-8", Array("{\n  \"agent\": \"".utf8) + [0xff, 0xfe] + Array("\"}".utf8), "2:", "UTF-8"
    ),
  ]

  @Test(arguments: broken.map(\.name))
  func `a text that isn't JSON is refused with its place`(_ name: String) async throws {
    let input = try #require(Self.broken.first { $0.name == name })
    try await AgentUnderTest.with { agent in
      try agent.folder.write("settings.json", input.bytes)
      let checked = try await agent.agent("validate")
      #expect(checked.status == 1)
      #expect(checked.output.contains("settings.json:\(input.place)"), "\(checked.output)")
      #expect(checked.output.contains(input.words), "\(checked.output)")
      let run = try await agent.agent("run")
      #expect(run.status == 1)
      #expect(run.errors.contains("settings.json:\(input.place)"), "\(run.errors)")
      #expect(!agent.folder.exists(".agent/agent.sock"))
    }
  }

  @Test func `every problem is reported in one run with its place`() async throws {
    try await AgentUnderTest.with { agent in
      try await agent.addTicker()
      try agent.folder.write(
        "settings.json",
        """
        {
          "enabled_modules": ["ticker"],
          "proceses": {},
          "processes": {
            "clock": { "type": "ticks", "every_ms": "20" },
            "watch": { "type": "tickz" },
            "other": { "type": "ticks", "lable": "x" }
          }
        }
        """)
      let (status, value) = try await agent.json("validate")
      #expect(status == 1)
      #expect(value["valid"]?.bool == false)
      let problems = value["problems"]?.array ?? []
      let places = problems.map { "\($0["line"]?.int ?? 0) \($0["path"]?.string ?? "")" }
      #expect(Set(places.map { $0.prefix(1) }) == ["3", "5", "6", "7"], "\(problems)")
      let text = try await agent.agent("validate").output
      #expect(
        text.contains("settings.json:5:45: processes.clock.every_ms: expected an integer"),
        "\(text)")
      for suggestion in ["ticks", "label"] {
        #expect(text.contains("Did you mean \"\(suggestion)\"?"), "\(text)")
      }
    }
  }

  @Test func `a missing, disabled or invalid module is named`() async throws {
    try await AgentUnderTest.with { agent in
      try await agent.addTicker()
      try agent.settings(modules: ["tickr"], processes: [:])
      let missing = try await agent.agent("validate")
      #expect(missing.status == 1)
      #expect(missing.output.contains("tickr"))
      #expect(missing.output.contains("\"ticker\"?"), "\(missing.output)")

      try agent.settings(modules: [], processes: ["clock": ["type": "ticks"]])
      let disabled = try await agent.agent("validate")
      #expect(disabled.status == 1)
      #expect(disabled.output.contains("ticker"), "\(disabled.output)")

      try agent.folder.write("modules/ticker/module.json", "{ \"name\": \"ticker\", }")
      try agent.settings(modules: ["ticker"], processes: [:])
      let wrong = try await agent.agent("validate")
      #expect(wrong.status == 1)
      #expect(wrong.output.contains("modules/ticker/module.json:1:"), "\(wrong.output)")
    }
  }

  @Test func `a missing variable is a warning for validate and an error for run`() async throws {
    try await AgentUnderTest.with { agent in
      try await agent.addTicker()
      try agent.settings(
        modules: ["ticker"],
        processes: ["clock": ["type": "ticks", "label": "${env:NO_SUCH_LABEL}"]])
      let checked = try await agent.agent("validate")
      #expect(checked.status == 0)
      #expect(checked.output.contains("NO_SUCH_LABEL"), "\(checked.output)")
      #expect(try await agent.agent("validate", "--strict").status == 1)
      let run = try await agent.agent("run")
      #expect(run.status == 1)
      #expect(run.errors.contains("NO_SUCH_LABEL"), "\(run.errors)")

      try agent.folder.write(".env", "NO_SUCH_LABEL=from the file\n")
      try await agent.run()
      _ = try await eventually("the label is the variable's") {
        try await agent.events("type:tick").first { $0["label"]?.string == "from the file" }
      }
    }
  }

  @Test func `settings that the module refuses are reported, and the others run`() async throws {
    try await AgentUnderTest.with { agent in
      try await agent.addMisbehaving()
      try await agent.addTicker()
      try agent.settings(
        modules: ["misbehaving", "ticker"],
        processes: [
          "bad": ["type": "misbehave", "mode": "refuse"], "clock": ["type": "ticks"],
        ])
      try await agent.run()
      let bad = try await agent.process("bad", "is FAILED") { $0.state == "FAILED" }
      #expect(bad.reason.contains("The mode must not be \"refuse\"."))
      #expect(
        try await agent.status("the other runs") { $0["clock"]?.state == "RUNNING" }.json != .null)
    }
  }
}
