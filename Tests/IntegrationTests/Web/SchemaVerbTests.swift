import AgentJSON
import Testing

/// `agent schema` on files, as a user runs it.
@Suite struct SchemaVerbTests {
  /// A schema of orders, and what it refers to.
  static let order = """
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": "https://example.org/order.schema.json",
      "type": "object",
      "required": ["id", "items"],
      "additionalProperties": false,
      "properties": {
        "id": { "type": "integer" },
        "items": { "type": "array", "items": { "$ref": "item.json" } },
        "note": { "type": "string", "deprecated": true, "description": "Use id instead." }
      }
    }
    """
  static let item = """
    { "type": "object", "properties": { "count": { "type": "integer" } } }
    """

  private func with(_ body: (AgentUnderTest) async throws -> Void) async throws {
    try await AgentUnderTest.with { agent in
      try agent.folder.write("order.schema.json", Self.order)
      try agent.folder.write("parts/item.json", Self.item)
      try await body(agent)
    }
  }

  @Test func `files are checked with line and column, and schemas beside them are registered`()
    async throws
  {
    try await with { agent in
      try agent.folder.write("good.json", #"{"id": 1, "items": [{"count": 2}]}"#)
      try agent.folder.write("bad.json", "{\n  \"id\": \"1\",\n  \"itmes\": []\n}")
      let check = ["schema", "check", "order.schema.json", "--registry", "parts"]
      let good = try await agent.agent(check + ["good.json"])
      #expect(good.status == 0 && good.output == "good.json is valid.\n", "\(good.errors)")
      let both = try await agent.agent(check + ["good.json", "bad.json"])
      #expect(both.status == 1)
      #expect(
        both.output == """
          good.json is valid.
          bad.json:2:9: id: expected an integer, found "1". Remove the quotes.
          bad.json:3:3: unknown key "itmes". Did you mean "items"?
          bad.json: 2 errors.

          """)
      let (status, value) = try await agent.json(
        "schema", "check", "order.schema.json", "bad.json", "--registry", "parts/item.json")
      #expect(status == 1 && value["valid"] == false)
      #expect(value["problems"]?.array?.map { $0["path"] } == ["id", ""])
      #expect(value["problems"]?[0]?["line"] == 2)
    }
  }

  @Test func `many similar mistakes are summarized in text and complete in JSON`() async throws {
    try await with { agent in
      let items = (0..<1000).map { #"{"count": "\#($0)"}"# }.joined(separator: ",\n")
      try agent.folder.write("long.json", "{\"id\": 1, \"items\": [\n\(items)\n]}")
      let check = ["schema", "check", "order.schema.json", "long.json", "--registry", "parts"]
      let text = try await agent.agent(check).output
      #expect(text.split(separator: "\n").count == 5, "\(text)")
      #expect(text.contains("long.json: …and 997 more like it at items[*].count"))
      #expect(text.contains("long.json:4:11: items[2].count:"))
      #expect(text.hasSuffix("long.json: 1000 errors.\n"))
      let problems = try await agent.json(
        "schema", "check", "order.schema.json", "long.json", "--registry", "parts"
      ).value["problems"]?.array
      #expect(problems?.count == 1000 && problems?.last?["line"] == 1001)
    }
  }

  @Test func `a faulty schema is reported with its place before any file is read`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.folder.write(
        "faulty.json", "{\n  \"type\": \"strin\",\n  \"$ref\": \"#/nowhere\"\n}")
      try agent.folder.write("odd.json", #"{"propertis": {}}"#)
      let odd = try await agent.agent("schema", "check", "odd.json")
      #expect(odd.status == 0 && odd.output.contains("warning:"), "\(odd.output)")
      #expect(odd.output.contains(#""properties""#), "\(odd.output)")
      let faulty = try await agent.agent("schema", "check", "faulty.json", "missing.json")
      #expect(faulty.status == 2)
      #expect(faulty.output.contains("faulty.json:2:11: type:"), "\(faulty.output)")
      #expect(
        faulty.output.contains(
          ##"faulty.json:3:11: $ref: "#/nowhere" leads nowhere: the schema has no "nowhere"."##),
        "\(faulty.output)")
      try agent.folder.write("cut.json", "{\n  \"type\": ")
      try agent.folder.write("lost.json", "{\n  \"$ref\": \"item.json\"\n}")
      let lost = try await agent.agent("schema", "check", "lost.json")
      #expect(
        lost.status == 2
          && lost.output.contains(
            #"lost.json:2:11: $ref: "item.json" is a document that isn't known here. Register it with --registry."#
          ), "\(lost.output)")
      for twice in [["-", "-"], ["odd.json", "-", "odd.json", "-"]] {
        let refused = try await agent.piping("odd.json", into: ["schema", "check"] + twice)
        #expect(refused.status == 2)
        #expect(refused.errors.contains("Standard input can be read once"), "\(refused.errors)")
      }
      let cut = try await agent.agent("schema", "check", "cut.json")
      #expect(cut.status == 2 && cut.output.contains("cut.json:2:"), "\(cut.output)")
      #expect(try await agent.agent("schema", "check", "none.json").status == 2)
      #expect(try await agent.agent("schema", "check", "a", "--draft", "8").status == 2)
    }
  }

  @Test func `the draft, formats and standard output follow the options`() async throws {
    try await AgentUnderTest.with { agent in
      try agent.folder.write(
        "s.json", #"{"format": "date", "exclusiveMinimum": true, "minimum": 5}"#)
      try agent.folder.write("v.json", "5")
      let old = try await agent.agent("schema", "check", "s.json", "v.json", "--draft", "4")
      #expect(old.status == 1 && old.output.contains("more than 5"), "\(old.output)")
      let new = try await agent.agent("schema", "check", "s.json", "v.json")
      #expect(new.status == 2, "\(new.output)")

      try agent.folder.write("d.json", #"{"format": "date"}"#)
      try agent.folder.write("w.json", #""yesterday""#)
      #expect(try await agent.agent("schema", "check", "d.json", "w.json").status == 0)
      let strict = try await agent.agent(
        "schema", "check", "d.json", "w.json", "--format-assertion")
      #expect(strict.status == 1 && strict.output.contains("a date such as"), "\(strict.output)")
      let basic = try await agent.agent(
        "schema", "check", "d.json", "w.json", "--format-assertion", "--output", "basic")
      let unit = try JSONValue(parsing: basic.output)
      #expect(basic.status == 1 && unit["valid"] == false)
      #expect(unit["errors"]?.array?.isEmpty == false, "\(unit)")
    }
  }

  @Test func `a form is written as JSON`() async throws {
    try await with { agent in
      let form = try await agent.agent(
        "schema", "form", "order.schema.json", "--registry", "parts")
      let value = try JSONValue(parsing: form.output)
      #expect(form.status == 0 && value["kind"] == "group")
      #expect(value["fields"]?.array?.map { $0["key"] } == ["id", "items", "note"])
      #expect(value["fields"]?[1]?["element"]?["fields"]?[0]?["kind"] == "integer")
    }
  }

  @Test func `Bowtie's protocol is spoken for every draft`() async throws {
    try await AgentUnderTest.with { agent in
      let run =
        #""case":{"description":"d","schema":{"$ref":"urn:x"},"registry":{"urn:x":{"type":"integer"}},"tests":[{"description":"a","instance":1},{"description":"b","instance":"x"}]}"#
      let requests = [
        #"{"cmd":"start","version":1}"#,
        #"{"cmd":"dialect","dialect":"http://json-schema.org/draft-07/schema#"}"#,
        #"{"cmd":"run","seq":1,\#(run)}"#,
        #"{"cmd":"run","seq":"two","case":{"description":"d","schema":{"$ref":"urn:none"},"tests":[{"instance":1}]}}"#,
        #"{"cmd":"stop"}"#,
      ]
      try agent.folder.write("requests", requests.joined(separator: "\n") + "\n")
      let finished = try await agent.piping("requests", into: ["schema", "bowtie"])
      #expect(finished.status == 0, "\(finished.errors)")
      let replies = try finished.output.split(separator: "\n").map {
        try JSONValue(parsing: String($0))
      }
      #expect(replies.count == 4)
      let dialects = replies[0]["implementation"]?["dialects"]?.array ?? []
      #expect(
        dialects.first == "https://json-schema.org/draft/2020-12/schema" && dialects.count == 5)
      for name in ["homepage", "issues", "source"] {
        let address = replies[0]["implementation"]?[name]?.string
        #expect(address?.hasPrefix("data:,") == true, "\(name): \(address ?? "none")")
      }
      #expect(replies[1] == ["ok": true])
      #expect(replies[2] == ["seq": 1, "results": [["valid": true], ["valid": false]]])
      #expect(replies[3]["seq"] == "two" && replies[3]["errored"] == true)
      #expect(replies[3]["context"]?["message"]?.string?.contains("urn:none") == true)

      try agent.folder.write("early", #"{"cmd":"run"}"# + "\n")
      let early = try await agent.piping("early", into: ["schema", "bowtie"])
      #expect(early.status == 1 && early.errors.contains("start"), "\(early.errors)")
      try agent.folder.write("v.json", "5")
      try agent.folder.write("s.json", #"{"type": "string"}"#)
      let piped = try await agent.piping("v.json", into: ["schema", "check", "s.json", "-"])
      #expect(piped.status == 1 && piped.output.contains("standard input:1:1: expected a string"))
    }
  }
}
