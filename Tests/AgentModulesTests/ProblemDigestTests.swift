import AgentModules
import Testing

@Suite struct ProblemDigestTests {
  private func problems(_ count: Int, found: (Int) -> String = { "\($0)" }) -> [Problem] {
    (0..<count).map { index in
      Problem(
        "wrong_type", file: "a.json", path: "rows[\(index)].n",
        message: "expected an integer, found \(found(index))", expected: "an integer",
        found: found(index))
    }
  }

  @Test func `three of a thousand similar problems are shown and the others counted`() {
    let other = Problem(
      "wrong_type", file: "a.json", path: "name", message: "m", expected: "a string")
    let lines = ProblemDigest(problems(1000) + [other]).lines.map(\.text)
    #expect(
      lines == [
        "a.json: rows[0].n: expected an integer, found 0",
        "a.json: rows[1].n: expected an integer, found 1",
        "a.json: rows[2].n: expected an integer, found 2",
        "a.json: …and 997 more like it at rows[*].n", "a.json: name: m",
      ])
  }

  @Test func `what a problem quotes makes no line of its own`() {
    let evil = "x\r\nFORGED\u{1B}[2J\u{85}\u{202E}"
    let problems = (0..<9).map { index in
      Problem(
        "c", file: evil, path: "\(evil)[\(index)]", message: "found \(evil)", severity: .warning)
    }
    let lines = problems.map(\.description) + ProblemDigest(problems).lines.map(\.text)
    #expect(lines.count == 13)
    for line in lines {
      #expect(line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
      #expect(!line.contains("\u{202E}") && line.contains(#"x\r\nFORGED\u{1b}[2J"#))
    }
  }

  @Test func `a few similar problems are all shown`() {
    #expect(ProblemDigest(problems(5)).lines.count == 5)
    #expect(ProblemDigest(problems(6)).lines.count == 4)
  }

  @Test func `different keys, files and codes aren't similar`() {
    var all = problems(2) + problems(2)
    for (index, name) in ["a", "b", "c", "d"].enumerated() {
      all.append(
        Problem("unknown_key", file: "a.json", path: "x", message: name, expected: "e", found: name)
      )
      all.append(Problem("wrong_type", file: "\(index).json", path: "x", message: "m"))
    }
    #expect(ProblemDigest(all, most: 2, shown: 1).lines.count == 1 + 1 + 8)
  }
}
