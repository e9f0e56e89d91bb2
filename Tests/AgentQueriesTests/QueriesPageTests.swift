import AgentJSON
import AgentQueries
import Glibc
import Testing

/// docs/queries.md and docs/queries-functions.md say what is so: their examples are run from the
/// pages themselves.
struct QueriesPageTests {
  private struct Example {
    let line: Int
    let text: String
    let outcome: String
  }

  @Test func `every filter on the page matches as the page says`() throws {
    let page = try Self.page()
    let event = try Self.event(of: page)
    let examples = Self.examples("pipes-filters", of: page)
    #expect(examples.count > 30)
    for example in examples {
      let filter = try EventFilter(parsing: example.text)
      #expect(
        filter.matches(event) == (example.outcome == "yes"), "line \(example.line): \(example.text)"
      )
    }
  }

  @Test func `every expression on the page has the stated value`() throws {
    let page = try Self.page()
    let event = try Self.event(of: page)
    let examples = Self.examples("pipes-values", of: page)
    for example in examples {
      let expression = try CompiledExpression(parsing: example.text)
      let value = expression.evaluate(
        event, timestamp: event["timestamp"]?.int.map(Int64.init) ?? 0)
      #expect(
        value == (try JSONValue(parsing: example.outcome)),
        "line \(example.line): \(example.text) is \(value)")
    }
    let shown = examples.map(\.text).joined(separator: "\n")
    for name in QueryLanguage.functions {
      #expect(shown.contains("\(name)("), "the page has no example of \(name)")
    }
  }

  @Test func `every query on the page can be run`() throws {
    let page = try Self.page()
    let blocks = Self.blocks("pipes", of: page)
    var queries = 0
    for block in blocks {
      // A line that starts with an arrow or a definition goes on with the others of its block.
      let isOne = block.lines.contains { $0.hasPrefix("=>") || $0.hasPrefix("def ") }
      for text in isOne ? [block.lines.joined(separator: "\n")] : block.lines {
        #expect(throws: Never.self, "line \(block.line): \(text)") {
          _ = try QueryPlan(try Query(parsing: text))
        }
        queries += 1
      }
    }
    #expect(queries > 20)
    let shown = blocks.flatMap(\.lines).joined(separator: "\n")
    for name in QueryLanguage.aggregations { #expect(shown.contains("\(name)("), "\(name)") }
    for name in QueryLanguage.pipes { #expect(shown.contains("@\(name)"), "\(name)") }
  }

  @Test func `a query that the page lists as refused is refused with the page's message`() throws {
    let examples = Self.examples("pipes-refused", of: try Self.page())
    #expect(examples.count > 10)
    for example in examples {
      let error = try #require(throws: QueryError.self) {
        try QueryPlan(try Query(parsing: example.text))
      }
      #expect(error.message.contains(example.outcome), "line \(example.line): \(error)")
    }
  }

  @Test func `the error on the page is the query's error`() throws {
    let shown = Self.blocks("pipes-error", of: try Self.page())
    #expect(shown.count == 1)
    for block in shown {
      let error = try #require(throws: QueryError.self) { try Query(parsing: block.lines[1]) }
      #expect(error.description == block.lines.joined(separator: "\n"))
    }
  }

  // MARK: The page

  /// Both pages, one after the other: the numbers of lines go on from the first to the second.
  private static func page() throws -> [String] {
    try lines(of: "docs/queries.md") + lines(of: "docs/queries-functions.md")
  }

  private static func lines(of path: String) throws -> [String] {
    // This file is three levels below the repository.
    let resolved = realpath(#filePath, nil)
    defer { free(resolved) }
    let source = resolved.map { String(cString: $0) } ?? #filePath
    let root = source.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
    let file = try #require(fopen("\(root)/\(path)", "r"))
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  private static func blocks(_ kind: String, of page: [String]) -> [(line: Int, lines: [String])] {
    var blocks: [(line: Int, lines: [String])] = []
    var isInside = false
    for (number, line) in page.enumerated() {
      if isInside, line == "```" {
        isInside = false
      } else if isInside {
        blocks[blocks.count - 1].lines.append(line)
      } else if line == "```" + kind {
        isInside = true
        blocks.append((number + 2, []))
      }
    }
    return blocks
  }

  /// Lines of `text → outcome  -- remark`.
  private static func examples(_ kind: String, of page: [String]) -> [Example] {
    blocks(kind, of: page).flatMap { block in
      block.lines.enumerated().compactMap { offset, line in
        guard let arrow = line.firstIndex(of: "→") else { return nil }
        let outcome = line[line.index(after: arrow)...]
        let remark = outcome.firstRange(of: "  --")?.lowerBound ?? outcome.endIndex
        return Example(
          line: block.line + offset, text: trimmed(line[..<arrow]),
          outcome: trimmed(outcome[..<remark]))
      }
    }
  }

  private static func trimmed(_ text: Substring) -> String {
    let front = text.drop { $0 == " " }
    let end = front.lastIndex { $0 != " " }.map { front.index(after: $0) } ?? front.startIndex
    return String(front[..<end])
  }

  private static func event(of page: [String]) throws -> JSONObject {
    let text = try #require(blocks("json", of: page).first).lines.joined(separator: "\n")
    return try #require(try JSONValue(parsing: text).object)
  }
}
