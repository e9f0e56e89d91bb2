import AgentJSON
import Testing

@testable import AgentWorkerProtocol

/// A long PUBLISH is divided where its events end.
@Suite struct PublishPartsTests {
  private func event(_ n: Int, bytes: Int) -> String {
    #"{"n":\#(n),"t":"}],\"\\","pad":""# + String(repeating: "x", count: bytes) + #""}"#
  }

  @Test func `parts hold all events in order within their size limit`() throws {
    let sizes = [10, 600_000, 600_000, 0, 1_000_000, 5, 300_000]
    let events = sizes.enumerated().map { event($0.offset, bytes: $0.element) }
    let parts = try PublishParts(
      Array(" [ \(events.joined(separator: " ,\n")) ]\n".utf8), credit: sizes.count)
    #expect(parts.frames.count == 4)
    #expect(parts.tooLong.isEmpty)
    var numbers: [Int] = []
    for frame in parts.frames {
      #expect(frame.op == .publish && frame.body.count <= PublishParts.maxBytes)
      numbers += try JSONDocument(parsing: frame.body).root.elements.compactMap { $0["n"]?.int }
    }
    #expect(numbers == Array(sizes.indices))
  }

  @Test func `the longest event fits a part, and a longer one is left out`() throws {
    let empty = event(1, bytes: 0).utf8.count
    let longest = event(1, bytes: FrameBounds.maxEvent - empty)
    let longer = event(1, bytes: FrameBounds.maxEvent - empty + 1)
    let parts = try PublishParts(Array("[\(longest),\(longer),{}]".utf8), credit: 3)
    #expect(parts.frames.map(\.body.count) == [PublishParts.maxBytes, 4])
    #expect(parts.tooLong == [FrameBounds.maxEvent + 1])
  }

  @Test(arguments: [
    "", " ", "[", "{}", "[,{}]", "[{},]", "[{} {}]", "[{}", "[{}]]", "[{}] 1", "[1]", "[[]]",
    "[null,{}]",
  ])
  func `a batch that isn't an array of objects is refused`(text: String) {
    #expect { try PublishParts(Array(text.utf8), credit: 9) } throws: {
      ($0 as? WorkerProtocolError)?.message.contains("isn't an array of objects") == true
    }
  }

  @Test(arguments: [#"[{"a]"#, #"[{"a\"#, "[{", "[{[[", #"[{"a":"#])
  func `a batch that is cut off is refused`(text: String) {
    #expect(throws: WorkerProtocolError.self) { try PublishParts(Array(text.utf8), credit: 9) }
  }

  @Test func `mismatched brackets are refused when their part is parsed`() throws {
    let parts = try PublishParts(Array(#"[{"a":],{}]"#.utf8), credit: 9)
    #expect(throws: (any Error).self) {
      for frame in parts.frames { _ = try JSONDocument(parsing: frame.body) }
    }
  }

  @Test func `an empty array has no parts`() throws {
    #expect(try PublishParts(Array(" [ ] ".utf8), credit: 0).frames.isEmpty)
  }

  @Test func `events beyond the granted ones aren't read`() {
    // What follows isn't JSON: nobody has come that far.
    let dense = Array("[{},{},{},?".utf8)
    #expect { try PublishParts(dense, credit: 2) } throws: {
      ($0 as? WorkerProtocolError)?.message.contains("more than 2 events; 2 were granted") == true
    }
  }
}
