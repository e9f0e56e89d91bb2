import AgentJSON
import AgentModules
import HostTestSupport
import TestSupport
import Testing

@testable import ModuleContractCheck

@Suite struct SchemaSampleTests {
  private static let schema: JSONValue = [
    "type": "object", "required": ["count", "name", "mode"],
    "properties": [
      "count": ["type": "integer", "minimum": 3],
      "name": ["type": "string", "pattern": "^/", "minLength": 1],
      "mode": ["enum": ["fast", "slow"]],
      "ratio": ["type": "number", "exclusiveMinimum": 0],
      "tags": ["type": "array", "items": ["$ref": "#/$defs/tag"]],
      "note": ["type": "string", "default": "none"],
    ],
    "$defs": ["tag": ["type": "string", "minLength": 2]],
  ]

  @Test func `required members get values that the schema permits`() {
    #expect(
      SchemaSample(of: Self.schema, .required).value
        == ["count": 3, "name": "/", "mode": "fast"])
  }

  @Test func `every member can be filled in`() {
    #expect(
      SchemaSample(of: Self.schema, .all).value == [
        "count": 3, "name": "/", "mode": "slow", "ratio": 0.5, "tags": ["aa"], "note": "none",
      ])
  }

  @Test func `a recursive schema's sample ends`() {
    let schema: JSONValue = [
      "type": "object", "required": ["next"], "properties": ["next": ["$ref": "#"]],
    ]
    #expect(SchemaSample(of: schema, .required).value["next"]?["next"] != nil)
  }

  @Test func `a plan tries the example, the required keys and each key once`() throws {
    let agent = try TestAgent(
      manifest: """
        {"name": "clock", "version": "0.1.0", "title": "Clock", "abi": 1, "command": ["./clock"],
         "processes": {"ticks": {
           "kind": "datasource", "title": "Ticks", "example": {"seconds": 5},
           "settings": {"type": "object", "required": ["seconds"], "properties": {
             "seconds": {"type": "integer", "minimum": 1}, "zone": {"type": "string"}}}}}}
        """)
    let manifest = try #require(
      Manifest.read(directory: "\(agent.folder.path)/modules/clock").0)
    let subject = try #require(CheckPlan(manifest).processes.first)
    #expect(
      subject.variants.map(\.settings) == [
        ["seconds": 5], ["seconds": 1], ["seconds": 1, "zone": "a"],
      ])
    #expect(subject.wrong["seconds"]?.kind == .string)
    #expect(subject.wrong["zone"]?.kind == .number)
  }
}
