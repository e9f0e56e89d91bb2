import AgentText
import Testing

@Suite struct PercentEncodingTests {
  @Test func `everything but unreserved characters is encoded`() {
    #expect(PercentEncoding.encoded("aZ09-._~") == "aZ09-._~")
    #expect(PercentEncoding.encoded("a/b ü\u{1}") == "a%2Fb%20%C3%BC%01")
    #expect(PercentEncoding.encoded("a/b?c", keeping: "/") == "a/b%3Fc")
  }

  @Test(arguments: ["", "a/b ü\u{1}%41+", "🙂"])
  func `a decoded text is the one that was encoded`(_ text: String) {
    #expect(PercentEncoding.decoded(PercentEncoding.encoded(text)) == text)
    #expect(PercentEncoding.strict(PercentEncoding.encoded(text)) == text)
  }

  @Test(arguments: ["%", "a%4", "%zz", "%+f", "%-1"])
  func `a malformed escape stays, or is refused`(_ text: String) {
    #expect(PercentEncoding.decoded(text) == text)
    #expect(PercentEncoding.strict(text) == nil)
  }

  @Test func `bytes that aren't UTF-8 are replaced, or refused`() {
    #expect(PercentEncoding.decoded("a%ff") == "a\u{FFFD}")
    #expect(PercentEncoding.strict("a%ff") == nil)
  }

  @Test func `a plus sign is a blank in a query only`() {
    #expect(PercentEncoding.decoded("a+b%2B", plusIsBlank: true) == "a b+")
    #expect(PercentEncoding.decoded("a+b%2B") == "a+b+")
  }
}
