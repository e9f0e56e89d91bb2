import AgentJSON
import Foundation
import JSONSchema
import Testing

@Suite struct FormatTests {
  private static let asserting = SchemaOptions(formats: .assertion)

  @Test(arguments: FormatCases.all)
  func `a format admits what its standard says, when it is asserted`(file: FormatCases) throws {
    let groups = try file.groups()
    #expect(groups.reduce(0) { $0 + $1.tests.count } >= 20)
    for group in groups {
      let schema = try Schema(group.schema, options: Self.asserting)
      for test in group.tests {
        let data = JSONDocument(test.data).root
        #expect(
          schema.isValid(data) == test.valid, "\(file): \(group.name): \(test.name): \(test.data)")
        #expect(schema.validate(data).isEmpty == test.valid, "explained: \(file): \(test.name)")
      }
    }
  }

  @Test(arguments: FormatCases.all)
  func `a format that isn't asserted says nothing`(file: FormatCases) throws {
    for group in try file.groups() {
      let schema = try Schema(group.schema)
      for test in group.tests { #expect(schema.isValid(JSONDocument(test.data).root)) }
    }
  }

  @Test func `a format that no draft defines is ignored`() throws {
    let schema = try Schema(["format": "phone"], options: Self.asserting)
    #expect(schema.isValid(.string("not a number")))
  }

  @Test(arguments: [
    ("date", "1 March", "a date such as \"2026-03-01\"", " \" \" can't be character 2."),
    ("date", "2026-13-01", "a date such as \"2026-03-01\"", " There is no month 13."),
    ("ipv4", "1.2.3.256", "an IPv4 address such as \"192.0.2.1\"", " 256 is more than 255."),
    ("email", "ada", "an e-mail address such as \"ada@example.org\"", " The @ is missing."),
    ("regex", "a(", "a regular expression of ECMA-262", ""),
  ])
  func `a failing format shows an example, and what is wrong`(
    format: String, text: String, expected: String, reason: String
  ) throws {
    let found = try messages(
      #"{"format":"\#(format)"}"#, "\"\(text)\"", options: Self.asserting)
    #expect(
      found == ["expected \(expected), found \"\(text)\"" + (reason.isEmpty ? "" : ".\(reason)")])
  }
}
