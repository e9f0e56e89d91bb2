/// Rows of text below one another, each column as wide as its widest cell.
package struct TextTable {
  private let rows: [[String]]

  /// - Parameter rows: the titles first; each row has as many cells as they. The last two are
  ///   target and verdict.
  package init(rows: [[String]]) { self.rows = rows.map(RunLength.cells) }

  /// One line a row, the titles first.
  package var lines: [String] {
    let widths = widths
    return rows.map { row in
      zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
        .joined(separator: " | ")
    }
  }

  /// The lines, with a rule below the titles.
  package var text: String {
    let rule = widths.map { String(repeating: "-", count: $0) }.joined(separator: "-|-")
    return (lines.prefix(1) + [rule] + lines.dropFirst()).joined(separator: "\n")
  }

  private var widths: [Int] {
    (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
  }
}
