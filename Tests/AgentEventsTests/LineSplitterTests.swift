import AgentEvents
import Testing

@Suite struct LineSplitterTests {
  @Test(arguments: [1, 2, 3, 5, 100]) func `lines are the same, whatever pieces they arrive in`(
    size: Int
  ) {
    let stream = Array("one\r\n\n  \ntwo é\nlast".utf8)
    var splitter = LineSplitter()
    var lines: [LineSplitter.Line] = []
    for start in stride(from: 0, to: stream.count, by: size) {
      lines += splitter.lines(of: Array(stream[start..<min(start + size, stream.count)]))
    }
    if let last = splitter.last() { lines.append(last) }
    #expect(lines.map(\.text) == ["one\r", "", "  ", "two é", "last"])
    #expect(lines.map(\.number) == [1, 2, 3, 4, 5])
    #expect(lines.map(\.isBlank) == [false, true, true, false, false])
    #expect(splitter.last() == nil)
  }

  @Test(arguments: [1, 4, 100]) func `a line that is too long is skipped`(size: Int) {
    let stream = Array("12345\n123456\n1\n1234567".utf8)
    var splitter = LineSplitter(limit: 5)
    var lines: [LineSplitter.Line] = []
    for start in stride(from: 0, to: stream.count, by: size) {
      lines += splitter.lines(of: Array(stream[start..<min(start + size, stream.count)]))
    }
    if let last = splitter.last() { lines.append(last) }
    #expect(lines.map(\.text) == ["12345", "", "1", ""])
    #expect(lines.map(\.isTooLong) == [false, true, false, true])
    #expect(lines.map(\.isBlank) == [false, false, false, false])
  }
}

extension LineSplitter.Line {
  fileprivate var text: String { String(decoding: bytes, as: UTF8.self) }
}
