import AgentJSON
import Testing

@Suite struct JSONNumberTests {
  @Test(arguments: [
    "0", "-0", "1.0", "1e2", "-1.50", "9223372036854775807", "9223372036854775808",
    "18446744073709551615", "18446744073709551616", "1e400", "0.1", "1E-7", "-9223372036854775808",
    "0.30000000000000004", "3.14159265358979323846264338327950288",
  ])
  func `a number is written as it was read`(text: String) throws {
    #expect(try JSONValue(parsing: text).text() == text)
  }

  @Test(arguments: [
    ("1", "1.0"), ("100", "1e2"), ("0", "-0.0e5"), ("0.1", "1e-1"), ("1e400", "10e399"),
    ("18446744073709551616", "1.8446744073709551616e19"), ("-5", "-0.5E+1"),
  ])
  func `equal numbers are equal however written`(left: String, right: String) throws {
    let (left, right) = (try number(left), try number(right))
    #expect(left == right)
    #expect(left.hashValue == right.hashValue)
  }

  @Test func `numbers are ordered exactly`() throws {
    let ordered = try [
      "-1e400", "-9223372036854775809", "-9223372036854775808", "-1.5", "-1", "0", "1e-400", "0.1",
      "0.10000000000000000001", "1", "9007199254740993", "9223372036854775807.5",
      "9223372036854775808", "18446744073709551616", "1e400",
    ].map { try number($0) }
    for (left, right) in zip(ordered, ordered.dropFirst()) {
      #expect(left < right && left != right && !(right < left))
    }
    #expect(ordered.shuffled().sorted() == ordered)
  }

  @Test func `an exponent of many digits is read like any other`() throws {
    let ordered = try [
      "-1e99999999999999999999", "-1e10000000000000", "1e-100000000000000000000",
      "1e-99999999999999999999", "1e10000000000000", "1e2000000000000000", "9e2000000000000000",
      "1e99999999999999999999", "10.1e99999999999999999999", "1e100000000000000000001",
    ].map { try number($0) }
    for (left, right) in zip(ordered, ordered.dropFirst()) {
      #expect(left < right && left != right && !(right < left))
    }
    #expect(try number("10e99999999999999999999") == number("1e100000000000000000000"))
    #expect(try number("0e99999999999999999999") == 0)
    #expect(try number("1e100000000000000000000").isMultiple(of: number("4e99999999999999999998")))
    #expect(try !number("1e100000000000000000000").isMultiple(of: number("3e99999999999999999998")))
    let far = "1e" + String(repeating: "9", count: 5000)
    #expect(try number(far) > number("1e100000000000000000000"))
    #expect(try number(far).double == .infinity)
    #expect(try number(far).int == nil)
  }

  @Test(arguments: [
    "0.0", "-0.0", "0.1", "-0.5", "0.0001", "0.00012", "0.00001", "0.000099", "1.0", "1.5", "1.50",
    "100.25", "123456789012.345", "12345678901234.5", "123456789012345.6", "0.12345678901234",
    "0.000000000000001", "999999999999999.9", "1234567890123456789", "12345678901234567.5",
    "9007199254740993", "9007199254740993.0", "0.123456789012345678", "4.35", "5e-324", "1e22",
  ])
  func `a number is equal however it is read`(text: String) throws {
    let node = try JSONDocument(parsing: "[\(text)]").root[0]
    #expect(node?.double?.bitPattern == Double(text)?.bitPattern)
    #expect(node?.number?.double.bitPattern == Double(text)?.bitPattern)
    #expect(node?.number?.text == text)
    #expect(node?.int == node?.number?.int)
  }

  @Test func `an integer is returned if it fits and has no fraction`() throws {
    #expect(try number("1.0").int == 1)
    #expect(try number("-1.2e3").int == -1200)
    #expect(try number("1.5").int == nil)
    #expect(try number("9223372036854775808").int == nil)
    #expect(try number("9223372036854775808").uint == 1 << 63)
    #expect(try number("-9223372036854775808.0").int == .min)
    #expect(try number("-1").uint == nil)
    #expect(try number("1e999999999999999999999").int == nil)
    #expect(try number("1e999999999999999999999").isInteger)
    #expect(try !number("1e-999999999999999999999").isInteger)
    #expect(try number("300").integer(UInt8.self) == nil)
  }

  @Test(arguments: [
    ("0.3", "0.1", true), ("1", "0.1", true), ("0.35", "0.1", false), ("7", "2", false),
    ("1e300", "7", false), ("7e300", "7", true), ("1e1000000000", "8", true), ("0", "5", true),
    ("5", "0", false), ("123456789012345678901234567890", "10", true), ("4.02", "0.01", true),
    ("99999999999999999999999999999999999999", "33333333333333333333333333333333333333", true),
    ("99999999999999999999999999999999999998", "33333333333333333333333333333333333333", false),
    ("1e2", "0.00000000000000000000000000390625", true), ("-6", "1.5", true),
  ])
  func `multiples are exact`(number text: String, of other: String, expected: Bool) throws {
    #expect(try number(text).isMultiple(of: number(other)) == expected)
  }

  @Test func `a text or a double that isn't a JSON number is refused`() {
    #expect(JSONNumber(Double.nan) == nil)
    #expect(JSONNumber(-Double.infinity) == nil)
    #expect(JSONValue(Double.infinity) == .null)
    #expect(JSONNumber(parsing: "01") == nil)
    #expect(JSONNumber(parsing: " 1") == nil)
    #expect(JSONNumber(parsing: "1.50")?.text == "1.50")
  }

  private func number(_ text: String) throws -> JSONNumber {
    try #require(try JSONDocument(parsing: text).root.number)
  }
}
