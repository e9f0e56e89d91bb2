import AgentJSON
import Testing

@Suite struct Base64Tests {
  /// RFC 4648, section 10.
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ])
  func `bytes and their text convert to each other`(plain: String, encoded: String) {
    #expect(JSONBase64.encode(Array(plain.utf8)) == encoded)
    #expect(JSONBase64.decode(encoded) == Array(plain.utf8))
  }

  @Test(arguments: ["Zg", "Zg=", "Z===", "====", "Zm9v\n", "Zm-_", "Zg==Zg==", "é==="])
  func `rejects text that isn't base64 with its padding`(text: String) {
    #expect(JSONBase64.decode(text) == nil)
  }
}
