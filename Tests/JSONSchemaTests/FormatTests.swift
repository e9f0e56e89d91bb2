import AgentJSON
import JSONSchema
import Testing

@Suite struct FormatTests {
  @Test(arguments: [
    (
      "date-time",
      ["2026-03-01T12:00:00Z", "2026-03-01t12:00:00.25-05:30", "1998-12-31T23:59:60Z"],
      [
        "2026-03-01 12:00:00Z", "2026-02-29T12:00:00Z", "2026-03-01T12:00:00",
        "1998-12-31T22:59:60Z",
      ]
    ),
    (
      "date", ["2024-02-29", "2000-02-29"], ["2026-02-29", "1900-02-29", "2026-1-01", "2026-13-01"]
    ),
    (
      "time", ["23:59:60Z", "08:30:06.1+02:00"],
      ["24:00:00Z", "08:30:06", "8:30:06Z", "08:30:06.Z"]
    ),
    (
      "duration", ["P1DT12H", "PT5M", "P3W", "P1Y2M3DT4H5M6S"],
      ["P", "PT", "5M", "P1D2Y", "P1YT", "P1Y1W", "P1Y3D"]
    ),
    (
      "uri", ["https://a.example:80/b?c#d", "urn:x:y", "http://[::1]/"],
      ["/a", "http://a b", "http://a:x/", "http://[:::1]/", "a:%zz"]
    ),
    ("uri-reference", ["/a/b", "#x", "", "a%20b"], ["\\a", "a^b", "1:a"]),
    (
      "email", ["ada@example.org", "\"a b\"@example.org", "a@[127.0.0.1]"],
      ["ada", "@a", "a..b@c", "a@b_c", "a@[1]"]
    ),
    (
      "hostname", ["db-1.example.org", "a"],
      ["", "-a", "a-", "a..b", "a_b", String(repeating: "a", count: 64)]
    ),
    ("ipv4", ["192.0.2.1"], ["256.0.0.1", "1.2.3", "01.2.3.4", "1.2.3.4.5", "1.2.3.-4"]),
    (
      "ipv6",
      ["::", "::1", "2001:db8::1", "1::", "::ffff:1.2.3.4", "1:2:3:4:5:6:7:8", "1::1.2.3.4"],
      [
        "", ":", ":::", "1::2::3", "12345::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", ":1", "1:",
        "::1.2.3",
      ]
    ),
    (
      "uuid", ["2eb8aa08-AA98-11ea-b4aa-73b441d16380"],
      ["2eb8aa08aa9811eab4aa73b441d16380", "2eb8aa08-aa98-11ea-b4aa-73b441d1638g"]
    ),
    ("regex", ["^a+$"], ["a(", "\\a"]),
    ("json-pointer", ["", "/a~0b/~1"], ["a", "/~2", "/~"]),
  ]) func `a format admits what its standard says, when it is asserted`(
    format: String, good: [String], bad: [String]
  ) throws {
    let schema: JSONValue = ["format": .string(format)]
    let asserting = try Schema(schema, options: SchemaOptions(formats: .assertion))
    for text in good { #expect(asserting.isValid(.string(text)), "\(text)") }
    for text in bad { #expect(!asserting.isValid(.string(text)), "\(text)") }
    #expect(try Schema(schema).isValid(.string(bad[0])))
  }

  @Test func `a failing format shows an example`() throws {
    #expect(
      try messages(
        #"{"format":"date"}"#, #""1 March""#, options: SchemaOptions(formats: .assertion))
        == [#"expected a date such as "2026-03-01", found "1 March""#])
  }
}
