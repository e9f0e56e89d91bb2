/// Finds the known name that a person most likely meant by an unknown one.
public enum NameSuggestion {
  /// Returns the nearest of `names`, or `nil` if none is near. Case, `-`, `_` and blanks don't
  /// count.
  ///
  /// A name is near if it differs by a typing error, by a word more or less, or by another unit
  /// (`interval` and `interval_seconds`). In the last two cases it must be the only such name.
  public static func of(_ name: String, among names: some Sequence<String>) -> String? {
    let wanted = folded(name)
    // The time of a comparison grows with the product of the lengths.
    guard !wanted.isEmpty, wanted.count <= longest else { return nil }
    var slip: (name: String, distance: Int)?
    var related: [String] = []
    let words = NameWords.of(name)
    for candidate in names {
      let other = folded(candidate)
      if let distance = nearness(wanted, other), distance < slip?.distance ?? .max {
        slip = (candidate, distance)
      }
      if other.count <= longest, isRelated(words, NameWords.of(candidate)) {
        related.append(candidate)
      }
    }
    // Two changed letters may be a typing error. Three are less likely than a missing word.
    if let slip, slip.distance <= 2 || related.count != 1 { return slip.name }
    return related.count == 1 ? related[0] : nil
  }

  /// Returns the end of an error message: a blank and a question such as ` Did you mean "count"?`.
  /// - Parameters:
  ///   - name: the known name, or nil if none is near.
  ///   - quote: the quotation mark around the name.
  ///   - other: the result if `name` is nil.
  package static func question(
    _ name: String?, quote: String = "\"", otherwise other: String = ""
  ) -> String {
    name.map { " Did you mean \(quote)\($0)\(quote)?" } ?? other
  }

  /// Returns whether two names differ by one or two letters.
  package static func isSlip(_ name: String, of other: String) -> Bool {
    nearness(folded(name), folded(other)).map { $0 <= 2 } ?? false
  }

  private static let longest = 200

  private static func folded(_ name: String) -> [Unicode.Scalar] {
    name.lowercased().unicodeScalars.filter { $0 != "-" && $0 != "_" && $0 != " " }
  }

  /// Returns whether the names differ by additional words, a shortened word, or the unit.
  private static func isRelated(_ left: [String], _ right: [String]) -> Bool {
    let (short, long) = left.count <= right.count ? (left, right) : (right, left)
    guard let first = short.first, let last = short.last, let end = long.last else { return false }
    if short.count < long.count {
      return long.starts(with: short) || (first.count > 2 && long.suffix(short.count) == short[...])
    }
    guard short.dropLast() == long.dropLast() else { return false }
    let isCut = end.hasPrefix(last) || last.hasPrefix(end)
    if isCut, min(last.count, end.count) > 2 { return true }
    return short.count > 1 && UnitHint(word: last) != nil && UnitHint(word: end) != nil
  }

  /// Returns the distance of two names if it is small enough for a typing error: one change in
  /// three letters.
  private static func nearness(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int? {
    let limit = (left.count + 1) / 3
    guard abs(left.count - right.count) <= limit else { return nil }
    let distance = distance(left, right)
    // In a name of two letters, a changed letter makes another name. Swapped letters and a missing
    // one (`mx` for `max`) are typing errors.
    if left.count < 3 || right.count < 3 {
      let isSwapped = Set(left) == Set(right)
      let isLeftOut = left.count + right.count == 5 && distance == 1
      return distance == 0 || isSwapped || isLeftOut ? distance : nil
    }
    return distance <= limit ? distance : nil
  }

  /// Returns the restricted Damerau–Levenshtein distance ("optimal string alignment"): insertions,
  /// deletions, changes and swaps of neighbors, with no part edited twice.
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
