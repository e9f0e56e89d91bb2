import AgentJSON
import AgentStore
import Testing

@testable import AgentWorkers

@Suite(.timeLimit(.minutes(5))) struct StateAccessTests {
  private func with(
    _ body: (StateAccess, StateFixture) async throws -> Void
  ) async throws {
    let fixture = try await StateFixture()
    try await body(
      StateAccess(store: fixture.store, names: ["shop", "module:clock"], now: { 5 }), fixture)
    await fixture.end()
  }

  private func refusal<Value>(_ body: () async throws(HostError) -> Value) async -> HostError? {
    do {
      _ = try await body()
      return nil
    } catch { return error }
  }

  private func isEmpty(_ state: StateAccess, _ owner: String) async throws -> Bool {
    let page = try await state.list(owner)
    return page["entries"]?.array?.isEmpty == true
  }

  @Test func `a person and a process read each other's changes`() async throws {
    try await with { state, fixture in
      let process = fixture.caller("shop")
      #expect(try await state.set("shop", "count", to: Array("41".utf8))["version"] == 1)
      let read = try await fixture.call("get", #"{"keys":["count"]}"#, from: process).get()
      #expect(read["entries"]?[0]?["value"] == 41)
      _ = await fixture.write("count", "42", from: process)
      #expect(
        try await state.entry("shop", "count")
          == [
            "owner": "shop", "key": "count", "value": 42, "version": 2,
            "updated": 1_700_000_000_000,
          ])
      let history = try await state.history("shop", "count")
      #expect(history["versions"]?.array?.compactMap { $0["value"]?.int } == [42, 41])
      #expect(
        try await state.owners()["owners"]
          == [["owner": "shop", "keys": 1, "bytes": 7, "version": 2]])
      _ = try await state.remove("shop", "count", expected: 2)
      #expect(try await isEmpty(state, "shop"))
      #expect(try await state.history("shop", "count")["versions"]?[0]?["removed"] == true)
    }
  }

  @Test func `a value that was changed meanwhile isn't overwritten`() async throws {
    try await with { (state, _) async throws in
      _ = try await state.set("shop", "a", to: Array("1".utf8), expected: 0)
      let error = await refusal { () async throws(HostError) in
        try await state.set("shop", "a", to: Array("2".utf8), expected: 7)
      }
      #expect(error?.code == .preconditionFailed)
      #expect(error?.message == "\"a\" of shop's state has version 1, not 7. Read it again.")
    }
  }

  @Test func `an unknown owner or key is reported with the nearest name`() async throws {
    try await with { (state, _) async throws in
      _ = try await state.set("shop", "count", to: Array("1".utf8))
      for name in ["shp", "module:clok"] {
        let error = await refusal { () async throws(HostError) in try await state.list(name) }
        #expect(error?.code == .notFound)
        #expect(error?.message.contains("Did you mean") == true, "\(error?.message ?? "")")
      }
      let typo = await refusal { () async throws(HostError) in
        try await state.set("nobody", "a", to: Array("1".utf8))
      }
      #expect(typo?.message.contains("agent state show") == true)
      let key = await refusal { () async throws(HostError) in
        try await state.entry("shop", "cuont")
      }
      #expect(key?.code == .notFound)
      #expect(key?.message.contains("\"count\"") == true)
      let removed = await refusal { () async throws(HostError) in
        try await state.remove("shop", "x")
      }
      #expect(removed?.code == .notFound)
      #expect(try await isEmpty(state, "module:clock"))
    }
  }

  @Test func `a value that isn't JSON or is too large is refused with its place or limit`()
    async throws
  {
    try await with { (state, _) async throws in
      let comma = await refusal { () async throws(HostError) in
        try await state.set("shop", "a", to: Array("{\n  \"a\": 1,,\n}".utf8))
      }
      #expect(comma?.code == .invalid)
      #expect(comma?.message.contains("line 2, column 10") == true, "\(comma?.message ?? "")")
      let huge = await refusal { () async throws(HostError) in
        try await state.set(
          "shop", "a", to: Array(("\"" + String(repeating: "x", count: 1 << 20) + "\"").utf8))
      }
      #expect(huge?.code == .invalid)
      #expect(huge?.message.contains("1048576 is the most") == true)
      let deep = await refusal { () async throws(HostError) in
        try await state.set(
          "shop", "a",
          to: Array((String(repeating: "[", count: 61) + String(repeating: "]", count: 61)).utf8))
      }
      #expect(deep?.code == .invalid)
      #expect(try await isEmpty(state, "shop"))
    }
  }

  // MARK: Export and import

  private func text(_ state: StateAccess, _ owner: String? = nil) async throws -> String {
    var text = ""
    for try await lines in try await state.export(owner) { text += lines }
    return text
  }

  @Test func `an export is complete, and importing it restores the state`() async throws {
    try await with { state, fixture in
      let values: [(owner: String, key: String, value: String)] = [
        ("shop", "a b", #"{"x":[1,2.50,"é"]}"#), ("shop", "z", "null"), ("q", "z", "1e3"),
      ]
      for entry in values {
        let change: JSONValue = [
          "key": .string(entry.key), "value": try JSONValue(parsing: entry.value),
        ]
        let input: JSONValue = ["changes": [change]]
        _ = await fixture.call("write", input.text(), from: fixture.caller(entry.owner))
      }
      let exported = try await text(state)
      #expect(exported.split(separator: "\n").count == 3)
      #expect(try await text(state, "q").hasPrefix(#"{"owner":"q","key":"z","value":1e3,"#))
      let again = try await state.import(Array(exported.utf8), replacing: true)
      #expect(again == ["owners": 2, "set": 0, "removed": 0, "unchanged": 3])
      _ = try await state.set("shop", "z", to: Array("7".utf8))
      _ = try await state.set("shop", "more", to: Array("7".utf8))
      let merged = try await state.import(Array(exported.utf8), replacing: false)
      #expect(merged == ["owners": 2, "set": 1, "removed": 0, "unchanged": 2])
      let replaced = try await state.import(Array(exported.utf8), replacing: true)
      #expect(replaced == ["owners": 2, "set": 0, "removed": 1, "unchanged": 3])
      let list = try await state.list("shop")
      #expect(list["entries"]?.array?.compactMap { $0["value"] } == [["x": [1, 2.5, "é"]], .null])
    }
  }

  @Test func `an import refuses owners and keys that no request could name`() async throws {
    try await with { (state, _) async throws in
      let long = String(repeating: "y", count: 100_000)
      let lines = """
        {"owner": "a\\u0000b", "key": "k", "value": 1}
        {"owner": "../../x", "key": "k", "value": 1}
        {"owner": "\(long)", "key": "k", "value": 1}
        {"owner": "module:", "key": "k", "value": 1}
        {"owner": "module:shop", "key": "k\\u0000x", "value": 1}
        """
      let error = await refusal { () async throws(HostError) in
        try await state.import(Array(lines.utf8), replacing: false)
      }
      let problems = error?.problems.compactMap { $0["text"]?.string } ?? []
      #expect(problems.count == 5)
      #expect(problems.prefix(4).allSatisfy { $0.contains("isn't the name of a process") })
      #expect(problems.last?.contains("control characters") == true)
      let good = #"{"owner": "module:shop-1", "key": "a b", "value": 1}"#
      let imported = try await state.import(Array(good.utf8), replacing: false)
      #expect(imported["set"] == 1)
    }
  }

  @Test func `an import with wrong lines changes nothing and names each`() async throws {
    try await with { (state, _) async throws in
      let lines = """
        {"owner": "shop", "key": "a", "value": 1}
        {"owner": "shop", "key": "b", "value": }

        {"owner": "shop", "value": 1}
        {"owner": "shop", "key": "a", "value": 2}
        {"owner": "shop", "key": "c", "vlaue": 2}
        [1]
        """
      let error = await refusal { () async throws(HostError) in
        try await state.import(Array(lines.utf8), replacing: false)
      }
      #expect(error?.code == .invalid)
      let problems = error?.problems.compactMap { $0["text"]?.string } ?? []
      #expect(problems.count == 5)
      for (problem, words) in zip(
        problems, ["line 2: ", "line 4: \"key\"", "occurs twice", "\"vlaue\"", "line 7: "])
      {
        #expect(problem.contains(words), "\(problem)")
      }
      #expect(try await isEmpty(state, "shop"))
      let huge =
        #"{"owner":"shop","key":"h","value":""# + String(repeating: "x", count: 1 << 20)
        + "\"}\n"
      let tooLarge = await refusal { () async throws(HostError) in
        try await state.import(
          Array((#"{"owner":"shop","key":"a","value":1}"# + "\n" + huge).utf8), replacing: false)
      }
      #expect(tooLarge?.message.contains("1048576 is the most") == true)
      #expect(try await isEmpty(state, "shop"))
      for nothing in ["", "\n \r\n"] {
        let empty = await refusal { () async throws(HostError) in
          try await state.import(Array(nothing.utf8), replacing: true)
        }
        #expect(empty?.code == .invalid)
      }
    }
  }

  @Test func `a key with a control character can't be set, and can be removed`() async throws {
    try await with { (state, fixture) async throws in
      for key in ["a\u{1b}[2J", "a\nb", "a\u{85}"] {
        let error = await refusal { () async throws(HostError) in
          try await state.set("shop", key, to: Array("1".utf8))
        }
        #expect(error?.code == .invalid)
        #expect(error?.message.contains("no control characters") == true)
      }
      let process = fixture.caller("shop")
      let set = await fixture.call(
        "write", #"{"changes":[{"key":"a\u001bb","value":1}]}"#, from: process)
      #expect(throws: (any Error).self) { try set.get() }
      // A former version has set it.
      let old = StateChange(key: "a\u{1b}b", value: Array("1".utf8), expected: nil)
      try await fixture.store.write { _ = try $0.state.change([old], of: "shop", now: 1) }
      let removed = await fixture.call(
        "write", #"{"changes":[{"key":"a\u001bb","remove":true}]}"#, from: process)
      _ = try removed.get()
      #expect(try await isEmpty(state, "shop"))
    }
  }

  @Test func `an import with many wrong lines names ten, and counts the rest`() async throws {
    try await with { (state, _) async throws in
      let name = String(repeating: "n", count: 100_000)
      let first = #"{"owner": "shop", "key": "a", "value": 1, "\#(name)": 1}"# + "\n"
      let lines = Array((first + String(repeating: "x\n", count: 99_999)).utf8)
      let error = await refusal { () async throws(HostError) in
        try await state.import(lines, replacing: false)
      }
      #expect(error?.message == "100000 lines are wrong, so nothing was imported.")
      let problems = error?.problems.compactMap { $0["text"]?.string } ?? []
      #expect(problems.count == 11 && problems.last == "and 99990 more lines")
      #expect(problems.allSatisfy { $0.utf8.count < 600 })
      #expect(try await isEmpty(state, "shop"))
    }
  }
}
