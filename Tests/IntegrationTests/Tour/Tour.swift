/// The README's tour: its commands, and what each of them is said to print.
struct Tour {
  struct Step {
    let command: String
    var expected: [String]
  }

  let steps: [Step]

  /// Reads the console blocks between the markers; the README's first comment is the convention.
  init(readme: String) throws {
    guard let begin = readme.ranges(of: "<!-- tour:begin -->").last,
      let end = readme.ranges(of: "<!-- tour:end -->").last, begin.upperBound < end.lowerBound
    else { throw HarnessError("The README has no tour between its markers.") }
    self.init(blocksOf: readme[begin.upperBound..<end.lowerBound])
  }

  /// Reads all console blocks of a text.
  init(blocksOf text: some StringProtocol) {
    var steps: [Step] = []
    var isInBlock = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isInBlock = line == "```console"
      } else if isInBlock, line.hasPrefix("$ ") {
        steps.append(Step(command: String(line.dropFirst(2)), expected: []))
      } else if isInBlock, !steps.isEmpty {
        steps[steps.count - 1].expected.append(String(line))
      }
    }
    self.steps = steps
  }

  /// One shell script: each command's output stands between lines that say where it begins and how
  /// it ended.
  var script: String {
    steps.enumerated().map { number, step in
      "echo '@begin \(number)'\n{ \(step.command)\n} 2>&1\necho \"@end $?\""
    }.joined(separator: "\n")
  }

  /// What the script printed, a step each: the lines and the exit code; nil where it never ended.
  func results(in output: String) -> [(lines: [String], code: Int?)] {
    var results = steps.map { _ in (lines: [String](), code: Int?.none) }
    var current: Int?
    for line in output.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("@begin ") {
        current = Int(line.dropFirst(7))
      } else if line.hasPrefix("@end "), let step = current {
        results[step].code = Int(line.dropFirst(5))
        current = nil
      } else if let current {
        results[current].lines.append(String(line))
      }
    }
    return results
  }
}

/// Expected output, with `…` for what differs from run to run.
enum Elision {
  /// Whether lines are as expected; nothing expected is anything.
  static func matches(_ lines: [String], _ expected: [String]) -> Bool {
    expected.isEmpty || matches(lines[...], expected[...])
  }

  private static func matches(
    _ lines: ArraySlice<String>, _ expected: ArraySlice<String>
  ) -> Bool {
    guard let first = expected.first else { return lines.allSatisfy(\.isEmpty) }
    if first == "…" {
      return (0...lines.count).contains { matches(lines.dropFirst($0), expected.dropFirst()) }
    }
    guard let line = lines.first, fits(line, first) else { return false }
    return matches(lines.dropFirst(), expected.dropFirst())
  }

  private static func fits(_ line: String, _ pattern: String) -> Bool {
    let parts = pattern.split(separator: "…", omittingEmptySubsequences: false)
    guard parts.count > 1 else { return line == pattern }
    guard line.hasPrefix(parts[0]) else { return false }
    var rest = line.dropFirst(parts[0].count)
    for part in parts.dropFirst().dropLast() {
      guard let range = rest.firstRange(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return rest.hasSuffix(parts[parts.count - 1])
  }
}
