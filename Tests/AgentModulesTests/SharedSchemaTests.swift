import AgentJSON
import AgentModules
import JSONSchema
import Testing

/// What the host's own schemas take, and what those take that can't be compiled.
@Suite struct SharedSchemaTests {
  @Test func `a schema that doesn't compile admits nothing`() throws {
    for broken in [["$ref": "#/nowhere"], ["type": 5], ["pattern": "("]] as [JSONValue] {
      let schema = try #require(SharedSchemas.compile(broken))
      for value in [[:], .null, 5, "a"] as [JSONValue] {
        #expect(!schema.isValid(value), "\(broken.text()) takes \(value.text())")
      }
    }
    #expect(try #require(SharedSchemas.compile(["type": "integer"])).isValid(5))
  }

  @Test func `the schemas that the host ships compile`() throws {
    for schema in [SharedSchemas.module, SharedSchemas.output, SharedSchemas.logicAdapters] {
      _ = try Schema(schema, registry: SharedSchemas.registry)
    }
  }
}
