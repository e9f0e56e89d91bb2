/// The edit distance of two texts.
package enum EditDistance {
  /// Returns the number of characters to insert, remove or replace to change one text into the
  /// other, or `nil` if it exceeds `bound`. The time grows with `bound` times the length.
  package static func between(
    _ left: [Unicode.Scalar], _ right: [Unicode.Scalar], atMost bound: Int
  ) -> Int? {
    guard abs(left.count - right.count) <= bound else { return nil }
    var row = Array(0...right.count)
    for (line, scalar) in left.enumerated() {
      // Cells further than `bound` from the diagonal can't be part of a short enough path.
      let first = max(0, line + 1 - bound)
      let last = min(right.count, line + 1 + bound)
      var diagonal = first == 0 ? row[0] : row[first - 1]
      var least = bound + 1
      if first == 0 {
        row[0] = line + 1
        least = row[0]
      } else {
        row[first - 1] = bound + 1
      }
      for column in max(1, first)...max(1, last) where column <= right.count {
        let above = column > line + bound ? bound + 1 : row[column]
        let substituted = diagonal + (scalar == right[column - 1] ? 0 : 1)
        diagonal = row[column]
        row[column] = min(substituted, above + 1, row[column - 1] + 1)
        least = min(least, row[column])
      }
      if least > bound { return nil }
    }
    return row[right.count] <= bound ? row[right.count] : nil
  }
}
