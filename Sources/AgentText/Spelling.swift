/// Finds the nearest of several names.
public enum Spelling {
  /// Returns the name that a person probably meant by `word`. Nil means that no name is near
  /// enough.
  public static func suggestion(for word: String, among names: some Sequence<String>) -> String? {
    let wanted = Array(word.lowercased().unicodeScalars.prefix(64))
    let bound = max(1, min(3, wanted.count / 2))
    let letters = wanted.sorted()
    var best: (name: String, distance: Int)?
    for name in names {
      let candidate = Array(name.lowercased().unicodeScalars)
      guard var distance = distance(wanted, candidate, atMost: bound) else { continue }
      // Two swapped letters are one mistake, although they take two edits.
      if distance == 2, candidate.sorted() == letters { distance = 1 }
      if distance < best?.distance ?? .max { best = (name, distance) }
    }
    return best?.name
  }

  /// Returns how many characters must be inserted, removed or replaced to turn one word into the
  /// other, nil for more than `bound`. The time grows with `bound` times the length.
  package static func distance(
    _ left: [Unicode.Scalar], _ right: [Unicode.Scalar], atMost bound: Int
  ) -> Int? {
    guard abs(left.count - right.count) <= bound else { return nil }
    var row = Array(0...right.count)
    for (line, scalar) in left.enumerated() {
      // Cells further from the diagonal than the bound belong to no short enough path.
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
