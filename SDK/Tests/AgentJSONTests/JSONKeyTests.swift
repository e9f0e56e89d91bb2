import AgentJSON
import Testing

@Suite struct JSONKeyTests {
  @Test(arguments: [2, 12, 24, 25, 40, 300])
  func `an object of any size has its keys, each once`(count: Int) throws {
    let keys = (0..<count).map { String(repeating: "k", count: $0 % 20) + "\($0)" }
    let text = "{" + keys.map { "\"\($0)\": [\"\($0)\"]" }.joined(separator: ", ") + "}"
    let document = try JSONDocument(parsing: text)
    #expect(document.root.members.map(\.key) == keys)
    for key in keys { #expect(document.root[key]?[0]?.string == key) }
    #expect(document.root["k"] == nil)
    for repeated in [keys[0], keys[count / 2], keys[count - 1]] {
      let twice = text.dropLast() + ", \"\(repeated)\": 0}"
      let error = #expect(throws: JSONParseError.self) { try JSONDocument(parsing: String(twice)) }
      #expect(error?.code == .duplicateKey)
    }
  }

  /// A hash has 32 bits. With this number of keys two have the same.
  @Test func `keys with the same hash are different keys`() throws {
    var keys: [UInt32: String] = [:]
    var pair: (String, String)?
    for number in 0..<1_000_000 {
      let key = "key\(number)"
      guard let other = keys.updateValue(key, forKey: hash(key)) else { continue }
      pair = (other, key)
      break
    }
    let (first, second) = try #require(pair)
    let document = try JSONDocument(parsing: "{\"\(first)\": 1, \"\(second)\": 2}")
    #expect(document.root[first]?.int == 1)
    #expect(document.root[second]?.int == 2)
  }

  @Test(arguments: [
    "", "a", "seven_7", "eight__8", "a key of twenty bytes", "naïve", "a\"b", "\u{0}",
  ])
  func `a key's record has the hash of the key, however it is written`(key: String) throws {
    let written = JSONValue.string(key).text()
    let escaped =
      "\""
      + key.unicodeScalars.map { scalar in
        "\\u" + String(scalar.value + 0x10000, radix: 16).dropFirst()
      }.joined() + "\""
    for text in ["{\(written): [true, false]}", "{\(escaped): [true, false]}"] {
      let document = try JSONDocument(parsing: text)
      for document in [document, JSONDocument(document.root.value)] {
        #expect(document.root.withTape { $0.records[1].next } == hash(key))
        #expect(document.root[key]?.count == 2)
      }
    }
  }

  private func hash(_ key: String) -> UInt32 {
    var key = key
    return key.withUTF8 { JSONKeyHash.of(UnsafeRawBufferPointer($0)) }
  }
}
