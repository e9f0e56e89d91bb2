import AgentJSON
import Testing

@Suite struct TapeTests {
  @Test func `a tape knows where a container's contents are`() throws {
    let document = try JSONDocument(parsing: #"{"a": [1, 2.5], "b": "x"}"#)
    let node = try #require(document.root["a"])
    let texts = node.withTape { tape in
      let container = tape.records[tape.index]
      return (tape.index + 1..<Int(container.next)).map { index in
        let record = tape.records[index]
        return String(
          decoding: tape.bytes[Int(record.start)..<Int(record.end)], as: UTF8.self)
      }
    }
    #expect(texts == ["1", "2.5"])
  }

  @Test func `a record leads back to its node`() throws {
    let document = try JSONDocument(parsing: #"{"a": [true]}"#)
    let index = document.root.withTape { $0.records.count - 1 }
    #expect(document.node(ofRecord: index)?.pointer.description == "/a/0")
    #expect(document.node(ofRecord: index + 1)?.kind == nil)
  }
}
