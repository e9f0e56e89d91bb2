import AgentJSON
import AgentModules
import JSONSchema
import Testing

/// docs/outputs.md shows events that meet the SDK's schemas, and explains every field of them.
@Suite struct OutputsPageTests {
  @Test(arguments: [("Alerts", "alert"), ("Messages", "message"), ("Annotations", "annotation")])
  func `a section's event meets its schema, and each field is explained`(
    title: String, name: String
  ) throws {
    let json = try JSONValue(parsing: Self.read("SDK/schemas/\(name).event.json"))
    let schema = try Schema(json)
    let section = try Self.section(title)
    let block = try #require(section.split(separator: "```json\n").dropFirst().first)
    let event = try JSONValue(parsing: String(try #require(block.split(separator: "```").first)))
    #expect(schema.validate(event).map(\.message) == [])
    for field in try #require(json["properties"]?.object).keys where field != "__overwrite" {
      #expect(section.contains("`\(field)`"), "\(field) isn't explained")
    }
    for field in try #require(json["required"]?.array).compactMap(\.string) {
      var broken = try #require(event.object)
      broken[field] = nil
      #expect(!schema.validate(.object(broken)).isEmpty, "it may go without \(field)")
    }
  }

  private static func section(_ title: String) throws -> String {
    let page = try read("docs/outputs.md")
    return String(try #require(page.split(separator: "\n## ").first { $0.hasPrefix(title + "\n") }))
  }

  private static func read(_ path: String) throws -> String {
    let repository = #filePath.split(separator: "/Tests/").first.map(String.init) ?? ""
    return String(decoding: try FileSystem.read("\(repository)/\(path)"), as: UTF8.self)
  }
}
