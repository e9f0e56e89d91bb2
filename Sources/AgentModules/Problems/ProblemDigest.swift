internal import AgentText

/// Formats problems as lines for a terminal. If many are alike, such as the same mistake in every
/// element of a list, only the first ones are shown. The list of problems isn't changed.
public struct ProblemDigest: Sendable {
  /// A line with its severity.
  public struct Line: Sendable, Hashable {
    /// The text, without a line feed.
    public let text: String
    /// The worst severity of the problems that the line covers.
    public let severity: Problem.Severity
  }

  /// The lines, in the order of the problems.
  public let lines: [Line]

  /// - Parameters:
  ///   - most: the largest number of alike problems that are all shown.
  ///   - shown: the number that is shown if there are more. The others are counted.
  public init(_ problems: [Problem], most: Int = 5, shown: Int = 3) {
    let kinds = problems.map(Kind.init)
    var counts: [Kind: Int] = [:]
    for kind in kinds { counts[kind, default: 0] += 1 }
    var reported: [Kind: Int] = [:]
    var lines: [Line] = []
    for (problem, kind) in zip(problems, kinds) {
      let count = counts[kind] ?? 0
      reported[kind, default: 0] += 1
      let number = reported[kind] ?? 0
      if count <= most || number <= shown {
        lines.append(Line(text: problem.description, severity: problem.severity))
      } else if number == shown + 1 {
        lines.append(Line(text: kind.text(of: count - shown), severity: problem.severity))
      }
    }
    self.lines = lines
  }

  /// The properties that alike problems share.
  private struct Kind: Hashable {
    let file: String
    let severity: Problem.Severity
    let code: String
    let expected: String?
    /// The path with `*` for every index.
    let path: String
    /// The key, for an unknown key, because each one is a mistake of its own. `nil` for a wrong
    /// value.
    let key: String?

    init(_ problem: Problem) {
      file = problem.file
      severity = problem.severity
      code = problem.code
      expected = problem.expected ?? problem.message
      path = Self.shape(of: problem.path)
      key = problem.code == "unknown_key" ? problem.found : nil
    }

    private static func shape(of path: String) -> String {
      var shape = ""
      var rest = path[...]
      while let open = rest.firstIndex(of: "[") {
        let digits = rest[rest.index(after: open)...].prefix { ("0"..."9").contains($0) }
        let isIndex = !digits.isEmpty && rest[digits.endIndex...].hasPrefix("]")
        shape += rest[...open] + (isIndex ? "*" : digits)
        rest = rest[digits.endIndex...]
      }
      return shape + rest
    }

    func text(of count: Int) -> String {
      let place = path.isEmpty ? "" : " at \(path)"
      let start = "\(file): \(severity == .warning ? "warning: " : "")"
      return VisibleText.line("\(start)…and \(count) more like it\(place)")
    }
  }
}
