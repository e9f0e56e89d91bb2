/// Finds the known name that a misspelled name most likely meant.
enum NearestName {
  /// Returns the name that differs by at most one letter in three, or that is a prefix of `name` or
  /// has `name` as its prefix. Returns nil where no name is near. Case, `-`, `_` and blanks don't
  /// count.
  static func of(_ name: String, among names: some Sequence<String>) -> String? {
    let wanted = folded(name)
    guard (1...longest).contains(wanted.count) else { return nil }
    var best: (name: String, distance: Int)?
    for candidate in names {
      let other = folded(candidate)
      guard (1...longest).contains(other.count), let distance = nearness(wanted, other) else {
        continue
      }
      if distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
  }

  private static let longest = 100

  private static func folded(_ name: String) -> [Unicode.Scalar] {
    name.lowercased().unicodeScalars.filter { $0 != "-" && $0 != "_" && $0 != " " }
  }

  private static func nearness(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int? {
    let limit = (min(left.count, right.count) + 1) / 3
    let isPart =
      min(left.count, right.count) > 2 && (left.starts(with: right) || right.starts(with: left))
    // A missing word ranks behind all misspellings.
    if isPart { return min(abs(left.count - right.count), longest) + (limit + 1) }
    guard abs(left.count - right.count) <= limit else { return nil }
    let distance = changes(left, right)
    return distance <= limit ? distance : nil
  }

  /// The Levenshtein distance, with a swap of two neighbors as one change.
  private static func changes(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var older: [Int] = []
    var last = Array(0...right.count)
    for (row, letter) in left.enumerated() {
      var line = [row + 1]
      for (column, other) in right.enumerated() {
        var least = min(
          last[column] + (letter == other ? 0 : 1), last[column + 1] + 1, line[column] + 1)
        let isSwap =
          row > 0 && column > 0 && left[row - 1] == other && right[column - 1] == letter
        if isSwap { least = min(least, older[column - 1] + 1) }
        line.append(least)
      }
      (older, last) = (last, line)
    }
    return last[right.count]
  }
}
