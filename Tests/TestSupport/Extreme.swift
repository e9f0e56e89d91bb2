public import AgentJSON

/// A text that somebody hostile writes in the place of a value.
public struct Extreme: Sendable {
  /// For the message of a test.
  public let name: String
  /// As it is written: JSON, or a word of a path.
  public let text: String

  /// For the place of any JSON value.
  public static let values: [Extreme] = [
    Extreme(name: "−2⁶³", text: "-9223372036854775808"),
    Extreme(name: "2⁶³ − 1", text: "9223372036854775807"),
    Extreme(name: "2⁶³", text: "9223372036854775808"),
    Extreme(name: "2⁶⁴", text: "18446744073709551616"),
    Extreme(name: "2⁵³", text: "9007199254740992"),
    Extreme(name: "0", text: "0"),
    Extreme(name: "−1", text: "-1"),
    Extreme(name: "½", text: "0.5"),
    Extreme(name: "1e308", text: "1e308"),
    Extreme(name: "−1e308", text: "-1e308"),
    Extreme(name: "1e999", text: "1e999"),
    Extreme(name: "1e-320", text: "1e-320"),
    Extreme(name: "NaN", text: "\"NaN\""),
    Extreme(name: "U+0000", text: "\"a\\u0000b\""),
    Extreme(name: "U+001F", text: "\"a\\u001fr0/1\""),
    Extreme(name: "U+009B", text: "\"a\\u009b2Jb\""),
    Extreme(name: "a lone surrogate", text: "\"\\ud800\""),
    Extreme(name: "an empty text", text: "\"\""),
    Extreme(name: "a path upwards", text: "\"../../../../../../etc/passwd\""),
    Extreme(name: "null", text: "null"),
    Extreme(name: "true", text: "true"),
    Extreme(name: "an empty list", text: "[]"),
    Extreme(name: "an empty object", text: "{}"),
    Extreme(name: "64 lists", text: nested("[", "]", depth: 64)),
    Extreme(name: "65 lists", text: nested("[", "]", depth: 65)),
    Extreme(name: "64 objects", text: nested("{\"a\":", "}", depth: 64)),
    Extreme(name: "a very long time", text: "\"999999999d\""),
    Extreme(name: "no time", text: "\"0ms\""),
    Extreme(name: "a time below zero", text: "\"-1s\""),
    Extreme(name: "a very large size", text: "\"999999999TB\""),
    Extreme(name: "more than any number", text: "\"99999999999999999999\""),
    Extreme(name: "a megabyte", text: "\"\(String(repeating: "n", count: 1 << 20))\""),
  ]

  /// For the place of a value that this schema describes. Where it says neither number, text nor
  /// container, one of each kind is enough: anything else is refused in the same place.
  public static func values(for schema: JSONValue) -> [Extreme] {
    switch schema["type"]?.string {
    case "integer", "number", "string",
      nil where schema["enum"] == nil:
      return values
    default: return values.filter { oneOfEach.contains($0.name) }
    }
  }

  private static let oneOfEach: Set<String> = [
    "−2⁶³", "1e999", "U+001F", "a lone surrogate", "null", "true", "an empty list",
    "an empty object", "64 lists", "64 objects",
  ]

  /// For a part of a path or the value of a parameter, percent-coded.
  public static let words: [Extreme] = [
    "-9223372036854775808", "9223372036854775807", "9223372036854775808", "9007199254740992", "0",
    "-1", "1e308", "NaN", "a%00b", "a%1Fr0%2F1", "a%9B2Jb", "%ED%A0%80", "%FF", "..%2F..%2Fetc",
    "%C2%85", String(repeating: "n", count: 12_000), "%2B1", "%20", "%5B%5D",
  ].map { Extreme(name: String($0.prefix(24)), text: $0) }

  private static func nested(_ open: String, _ close: String, depth: Int) -> String {
    String(repeating: open, count: depth) + "0" + String(repeating: close, count: depth)
  }
}
