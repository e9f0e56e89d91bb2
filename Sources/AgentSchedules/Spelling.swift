/// Which known word somebody most likely meant.
enum Spelling {
  /// The nearest of `names`, if it is near enough to be worth naming. Case doesn't count.
  static func nearest(to word: String, among names: some Sequence<String>) -> String? {
    let wanted = Array(word.lowercased().utf8.prefix(64))
    let bound = max(1, wanted.count / 2)
    var best: (name: String, distance: Int)?
    for name in names {
      let candidate = Array(name.lowercased().utf8)
      guard abs(candidate.count - wanted.count) <= bound else { continue }
      let distance = distance(wanted, candidate)
      if distance <= bound, distance < best?.distance ?? .max { best = (name, distance) }
    }
    return best?.name
  }

  /// How many letters must be put in, taken out or replaced to make one word of the other; two
  /// letters in the wrong order are one slip.
  static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var older = [Int]()
    var above = Array(0...right.count)
    for (row, letter) in left.enumerated() {
      var current = [row + 1]
      for (column, other) in right.enumerated() {
        var least = min(
          above[column] + (letter == other ? 0 : 1), above[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
          least = min(least, older[column - 1] + 1)
        }
        current.append(least)
      }
      (older, above) = (above, current)
    }
    return above[right.count]
  }
}
