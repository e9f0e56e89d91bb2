/// The known name that a person most likely meant.
enum NearestName {
  /// The nearest of `names`, or nil when none is near. Upper and lower case, `-` and `_` count as
  /// the same.
  static func find(_ name: String, among names: [String]) -> String? {
    let wanted = folded(name)
    guard !wanted.isEmpty, wanted.count <= 200 else { return nil }
    let limit = wanted.count < 3 ? 1 : max(1, (wanted.count + 1) / 3)
    var best: (name: String, distance: Int)?
    for candidate in names {
      let other = folded(candidate)
      guard abs(other.count - wanted.count) <= limit else { continue }
      let distance = self.distance(wanted, other)
      // With two letters one change is another word; only a swap or the case is a slip.
      guard distance <= limit, distance < max(wanted.count, other.count) - 1 || distance == 0
      else { continue }
      if distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
  }

  private static func folded(_ name: String) -> [Unicode.Scalar] {
    name.lowercased().unicodeScalars.map { $0 == "-" || $0 == " " ? "_" : $0 }
  }

  /// Damerau and Levenshtein's distance in the restricted form ("optimal string alignment"):
  /// insertions, deletions, changes and swaps of neighbours, no part edited twice.
  static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var twoAgo: [Int] = []
    var previous = Array(0...right.count)
    for row in 0..<left.count {
      var current = [row + 1]
      for column in 0..<right.count {
        let change = left[row] == right[column] ? 0 : 1
        var best = min(previous[column] + change, previous[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          best = min(best, twoAgo[column - 1] + 1)
        }
        current.append(best)
      }
      twoAgo = previous
      previous = current
    }
    return previous[right.count]
  }
}
