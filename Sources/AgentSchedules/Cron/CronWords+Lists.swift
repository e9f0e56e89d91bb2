extension CronWords {
  /// Returns `every minute`, `every 15 minutes` or `at minutes 0 to 10 and 30`.
  static func count(_ values: [Int], of size: Int, _ unit: String) -> String {
    if values.count == size { return "every \(unit)" }
    if let step = step(values, of: size) { return "every \(step) \(unit)s" }
    return "at \(values.count == 1 ? unit : unit + "s") \(ranges(values) { "\($0)" })"
  }

  /// Returns the distance between values that lie in equal steps from 0 to the end. Returns `nil`
  /// if they don't, or if there are fewer than three.
  static func step(_ values: [Int], of size: Int) -> Int? {
    guard values.count > 2, values[0] == 0, values[1] > 1 else { return nil }
    return Array(stride(from: 0, to: size, by: values[1])) == values ? values[1] : nil
  }

  /// Returns a list in which three or more consecutive values form a range.
  static func ranges(_ values: [Int], _ name: (Int) -> String) -> String {
    var parts: [String] = []
    var rest = values[...]
    while let first = rest.first {
      let length = zip(rest, first...).prefix { $0 == $1 }.count
      let run = rest.prefix(length)
      rest = rest.dropFirst(length)
      if length > 2, let last = run.last {
        parts.append("\(name(first)) to \(name(last))")
      } else {
        parts += run.map(name)
      }
    }
    return list(parts)
  }

  /// Returns `a, b and c`.
  static func list(_ parts: [String]) -> String {
    guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
    return parts.dropLast().joined(separator: ", ") + " and " + last
  }

  /// Returns `first` to `fifth`, or `6th` and so on.
  static func ordinal(_ number: Int) -> String {
    let words = ["first", "second", "third", "fourth", "fifth"]
    if number >= 1, number <= words.count { return words[number - 1] }
    switch (number % 10, number % 100) {
    case (1, let tens) where tens != 11: return "\(number)st"
    case (2, let tens) where tens != 12: return "\(number)nd"
    case (3, let tens) where tens != 13: return "\(number)rd"
    default: return "\(number)th"
    }
  }
}
