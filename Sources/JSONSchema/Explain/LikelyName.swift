/// The known name that a person most likely meant.
public enum LikelyName {
  /// The nearest of `names`, or nil when none is near. Upper and lower case, `-` and `_` count as
  /// the same.
  public static func of(_ name: String, among names: some Sequence<String>) -> String? {
    let wanted = folded(name)
    guard !wanted.isEmpty, wanted.count <= longest else { return nil }
    var best: (name: String, distance: Int)?
    for candidate in names {
      let other = folded(candidate)
      guard let distance = nearness(wanted, other), distance < best?.distance ?? .max else {
        continue
      }
      best = (candidate, distance)
    }
    return best?.name
  }

  private static let longest = 200

  /// The distance of two names, where it is small enough for a slip: one change in three letters.
  private static func nearness(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int? {
    let limit = (left.count + 1) / 3
    guard abs(left.count - right.count) <= limit else { return nil }
    let distance = distance(left, right)
    // In a name of two letters a changed one makes another name; only swapped ones are a slip.
    if left.count < 3 || right.count < 3 {
      return distance == 0 || Set(left) == Set(right) ? distance : nil
    }
    return distance <= limit ? distance : nil
  }

  private static func folded(_ name: String) -> [Unicode.Scalar] {
    name.lowercased().unicodeScalars.map { $0 == "-" || $0 == " " ? "_" : $0 }
  }

  /// Damerau and Levenshtein's distance in the restricted form ("optimal string alignment"):
  /// insertions, deletions, changes and swaps of neighbours, no part edited twice.
  private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
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
