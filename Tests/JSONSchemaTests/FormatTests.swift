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
  func `a format that isn't asserted reports nothing`(file: FormatCases) throws {
    for group in try file.groups() {
      let schema = try Schema(group.schema)
      for test in group.tests { #expect(schema.isValid(JSONDocument(test.data).root)) }
    }
  }

  /// What each draft adds to the one before it.
  @Test(arguments: [
    (SchemaDialect.draft4, ["date-time", "email", "hostname", "ipv4", "ipv6", "uri"]),
    (.draft6, ["uri-reference", "uri-template", "json-pointer"]),
    (
      .draft7,
      [
        "date", "time", "idn-email", "idn-hostname", "iri", "iri-reference", "regex",
        "relative-json-pointer",
      ]
    ),
    (.draft2019, ["duration", "uuid"]),
  ])
  func `a format is ignored in drafts before its own`(
    first: SchemaDialect, formats: [String]
  ) throws {
    for format in formats {
      for dialect in SchemaDialect.allCases {
        let schema = try Schema(
          ["$schema": .string(dialect.uri), "format": .string(format)], options: Self.asserting)
        let isIgnored = schema.isValid(.string("[{ no format has this"))
        #expect(isIgnored == (dialect < first), "\(format) in \(dialect)")
      }
    }
  }

  @Test func `a format that no draft defines is ignored`() throws {
    let schema = try Schema(["format": "phone"], options: Self.asserting)
    #expect(schema.isValid(.string("not a number")))
  }

  @Test(arguments: [
    ("date", "1 March", "Character 2 can't be \" \"."),
    ("date", "2026-13-01", "There is no month 13."),
    ("date", "2026-02-30", "There is no day 30."),
    ("date", "2026-02", "It ends too early."),
    ("date", "", "It is empty."),
    ("date-time", "2026-02-01 12:00:00Z", "After the date there has to be a T and a time."),
    ("date-time", "2026-02-01T12:00:00", "The zone is missing: Z, or an offset such as +01:00."),
    ("time", "12:00:60Z", "A second 60 comes only at 23:59:60 UTC, at the end of a month."),
    ("duration", "P1W1D", "Units go from large to small without a gap, and weeks stand alone."),
    ("ipv4", "1.2.3.256", "256 is more than 255."),
    ("ipv4", "1.2.3.04", "A number begins with a 0 too many."),
    ("ipv4", "1.2.3.4 ", "Take away the blanks at the end."),
    ("ipv6", "1:2", "There have to be eight groups, or fewer with one :: among them."),
    ("email", "ada", "The @ is missing."),
    ("email", "ada@example.org, bob@example.org", "Character 16 can't be \",\"."),
    ("uri", "example.org/a", "It doesn't begin with a scheme such as \"https:\"."),
    ("uri", "http://a/%zz", "After % there have to be two hexadecimal digits."),
    ("hostname", "a..b", "A part between the dots is empty."),
    ("hostname", "-a", "A part between the dots begins or ends with a hyphen."),
    (
      "hostname", "xn--x",
      "A part that begins with xn-- doesn't stand for a name in another script."
    ),
    ("idn-hostname", "Bücher", "\"B\" is not allowed in a host name."),
    ("idn-hostname", "l·a", "\"·\" is not allowed beside its neighbors here."),
    ("idn-hostname", "אa", "A part mixes directions of writing in a way that host names may not."),
    ("uri-template", "{a", "An expression in braces is not closed or not well-formed."),
    ("json-pointer", "/a~", "After ~ there has to be 0 or 1."),
    ("regex", "a(", ""),
  ])
  func `a failing format is reported with the reason`(format: String, text: String, reason: String)
    throws
  {
    let found = try messages(
      #"{"format":"\#(format)"}"#, "\"\(text)\"", options: Self.asserting)
    #expect(found.count == 1)
    let end = ", found \"\(text)\"" + (reason.isEmpty ? "" : ". \(reason)")
    #expect(found.first?.hasSuffix(end) == true, "\(found)")
  }

  @Test func `a failing format shows an example`() throws {
    #expect(
      try messages(#"{"format":"date"}"#, #""2026-13-01""#, options: Self.asserting)
        == [
          #"expected a date such as "2026-03-01", found "2026-13-01". There is no month 13."#
        ])
  }
}
