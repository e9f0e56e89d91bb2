import Testing

@testable import AgentWeb

/// Where a request may end.
@Suite struct RequestBoundaryTests {
  /// Returns the parts that bytes are cut into.
  private func parts(
    _ text: String, by cut: (inout RequestBoundary, UnsafeRawBufferPointer) -> Int
  ) -> [String] {
    var boundary = RequestBoundary()
    var rest = Array(text.utf8)[...]
    var parts: [String] = []
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { cut(&boundary, $0) }
      guard count > 0, count <= rest.count else { return parts + ["cut at \(count)"] }
      parts.append(String(decoding: rest.prefix(count), as: UTF8.self))
      rest = rest.dropFirst(count)
    }
    return parts
  }

  private func heads(_ text: String) -> [String] { parts(text) { $0.endOfHead(in: $1) } }
  private func chunks(_ text: String) -> [String] { parts(text) { $0.endOfChunks(in: $1) } }

  @Test func `a head ends with its first empty line`() {
    #expect(
      heads("G / H\r\nA: b\r\n\r\nG / H\r\n\r\nG") == [
        "G / H\r\nA: b\r\n\r\n", "G / H\r\n\r\n", "G",
      ])
    #expect(heads("G / H\nA: b\n\n{}") == ["G / H\nA: b\n\n", "{}"])
  }

  @Test func `empty lines before a head belong to it`() {
    #expect(heads("\r\n\r\n\r\n\nG / H\r\n\r\nG") == ["\r\n\r\n\r\n\nG / H\r\n\r\n", "G"])
  }

  @Test func `an end that comes in two pieces is found`() {
    for length in 1...9 {
      let text = Array("G / H\r\n\r\nG".utf8)
      var boundary = RequestBoundary()
      let first = text.prefix(length).withUnsafeBytes { boundary.endOfHead(in: $0) }
      let second = text.dropFirst(length).withUnsafeBytes { boundary.endOfHead(in: $0) }
      #expect(first == length)
      #expect(second == (length < 9 ? 9 - length : 1))
    }
  }

  @Test func `a chunked body is cut before a letter after an empty line only`() {
    #expect(chunks("2\r\n{}\r\n0\r\n\r\nGET /") == ["2\r\n{}\r\n0\r\n\r\n", "GET /"])
    #expect(chunks("0\r\nTrailer: x\r\n\r\n\r\nGET /") == ["0\r\nTrailer: x\r\n\r\n\r\n", "GET /"])
    #expect(chunks("4\r\n\n\n\n\n\r\n0\r\n\r\n") == ["4\r\n\n\n\n\n\r\n0\r\n\r\n"])
    #expect(chunks("A\r\n") == ["A\r\n"])
  }
}
