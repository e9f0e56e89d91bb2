import AgentJSON
import JSONSchema
import Testing

/// Whatever JSON is given as a schema: it is compiled, or refused with a place that is there.
@Suite struct OddSchemaTests {
  @Test(arguments: SchemaDialect.allCases)
  func `any value is a schema or has faults with places`(dialect: SchemaDialect) throws {
    var values: Set<JSONValue> = []
    for folder in ["draft4", "draft6"] {
      for file in SchemaSuite.own.files(folder) {
        for group in try SchemaSuite.own.groups(file) {
          values.formUnion([group.schema] + group.tests.map(\.data))
        }
      }
    }
    values.formUnion(values.map(Self.turned))
    var refused = 0
    for value in values {
      do {
        let schema = try Schema(value, options: SchemaOptions(dialect: dialect))
        _ = schema.isValid(value)
        _ = schema.validate(value)
        _ = schema.annotations(for: value)
      } catch {
        refused += 1
        for fault in error.all where fault.document == nil {
          let place = fault.pointer.parent ?? .root
          #expect(value.value(at: place) != nil, "\(fault) in \(value)")
        }
      }
      let node = JSONDocument(value).root
      for fault in Schema.faults(in: node, options: SchemaOptions(dialect: dialect)) {
        #expect(node.range.contains(fault.range.lowerBound), "\(fault.message) in \(value)")
      }
    }
    #expect(refused > 100)
  }

  /// Every keyword with the value of the one before it.
  private static func turned(_ value: JSONValue) -> JSONValue {
    guard case .object(let object) = value, let last = object.values.last else { return value }
    let values = [last] + object.values.dropLast()
    return .object(JSONObject(zip(object.keys, values.map(turned)).map { (key: $0, value: $1) }))
  }
}
