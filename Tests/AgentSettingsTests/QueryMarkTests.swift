import AgentSettings
import TestSupport
import Testing

/// The settings' check compiles a text that a module's schema marks as a query.
@Suite struct QueryMarkTests {
  private static let manifest = """
    {
      "name": "marks", "version": "0.1.0", "command": ["x"],
      "processes": {
        "watch": {
          "kind": "monitor",
          "settings": {
            "properties": {
              "query": { "type": "string", "pipesQuery": true },
              "filter": { "type": "string", "pipesFilter": true },
              "condition": { "type": "string", "pipesCondition": true },
              "span": { "type": "string", "pipesSpan": true },
              "secret": { "type": "string", "pipesQuery": true, "writeOnly": true },
              "list": { "type": "array", "items": { "$ref": "#/$defs/query" } }
            },
            "$defs": { "query": { "type": "string", "pipesQuery": true } }
          }
        }
      }
    }
    """

  private func lines(_ members: String, _ environment: [String: String] = [:]) throws -> [String] {
    let fixture = try SettingsFixture()
    try fixture.folder.write("modules/marks/module.json", Self.manifest)
    let result = try fixture.load(
      """
      {"enabled_modules": ["marks"], "processes": {"x": {"type": "watch",
      \(members)}}}
      """, environment: environment)
    return result.lines.map { $0.replacing("\(fixture.folder.path)/", with: "") }
  }

  @Test(arguments: [
    (
      #""query": "a => cuont() every minute""#,
      "settings.json:2:10: processes.x.query: at 1:6: there is no function cuont, or it isn't "
        + "supported yet. Did you mean count?"
    ),
    (
      #""query": "a\n=> sum(x""#,
      "settings.json:2:10: processes.x.query: at 2:9: "
    ),
    (
      #""query": "a => count() by b => @filter sum(c) > 1""#,
      "settings.json:2:10: processes.x.query: at 1:30: "
    ),
    (#""filter": "a => count()""#, "settings.json:2:11: processes.x.filter: at 1:6: "),
    (#""condition": "count >""#, "settings.json:2:14: processes.x.condition: at 1:"),
    (#""condition": "cuont(a)""#, "settings.json:2:14: processes.x.condition: at 1:1: "),
    (#""condition": "sum(a) > 1""#, "settings.json:2:14: processes.x.condition: at 1:"),
    (#""span": "lst 5 minutes""#, "settings.json:2:9: processes.x.span: at 1: "),
    (#""list": ["a", "b => ("]"#, "settings.json:2:15: processes.x.list[1]: at 1:"),
  ])
  func `a text that can't be read is a mistake with its place`(
    members: String, start: String
  ) throws {
    let lines = try lines(members)
    #expect(lines.count == 1)
    #expect(lines.first?.hasPrefix(start) == true, "\(lines)")
  }

  @Test(arguments: [
    #""query": "a => count() by b every minute", "condition": "count > 100 && \\b:x""#,
    #""condition": "a\n > 1 -- so it is""#, #""filter": "a b:(c|d) -e:*""#,
    #""span": "last 5 minutes""#, #""span": "now""#,
  ])
  func `a query that can be read is no mistake`(members: String) throws {
    #expect(try lines(members) == [])
  }

  @Test func `a column that the query doesn't return is a warning`() throws {
    let members =
      #""query": "a => count() by b every minute => @sort cnt", "condition": "none > cont""#
    #expect(
      try lines(members) == [
        "settings.json:2:10: warning: processes.x.query: There is no column “cnt” there, so it is "
          + "null: the rows have “timestamp”, “b”, “count”.",
        "settings.json:2:70: warning: processes.x.condition: There is no column “none” there, so it is "
          + "null: the rows have “timestamp”, “b”, “count”.",
        "settings.json:2:70: warning: processes.x.condition: There is no column “cont” there, so it is "
          + "null: the rows have “timestamp”, “b”, “count”. Did you mean “count”?",
      ])
  }

  @Test func `a mistake in a secret query is reported without its text`() throws {
    let secret = try lines(#""secret": "${Q}""#, ["Q": "secret => ("])
    #expect(secret == ["settings.json:2:11: processes.x.secret: this is no query."])
    #expect(try lines(#""query": "${Q}""#).count == 1)
  }
}
