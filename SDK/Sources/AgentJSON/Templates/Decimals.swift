/// Formats numbers in decimal, without Foundation.
enum Decimals {
  /// Returns a number with at most three decimals, or with three digits if three decimals would
  /// show none.
  static func short(_ number: Double) -> String {
    guard number != 0 else { return "0" }
    var places = 3
    var scaled = number.magnitude
    while scaled < 1, places < 12 {
      scaled *= 10
      places += 1
    }
    var text = fixed(number, min(places, 9))
    guard text.contains(".") else { return text }
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return text == "0" ? "\(number)" : text
  }

  /// Returns the number with `places` decimals. Halves are rounded away from zero.
  static func fixed(_ number: Double, _ places: Int) -> String {
    var scale: Int64 = 1
    for _ in 0..<places { scale *= 10 }
    guard let scaled = Int64(exactly: (number.magnitude * Double(scale)).rounded()) else {
      return "\(number)"
    }
    let sign = number < 0 && scaled != 0 ? "-" : ""
    guard places > 0 else { return "\(sign)\(scaled)" }
    let decimals = String(scaled % scale)
    let zeros = String(repeating: "0", count: places - decimals.count)
    return "\(sign)\(scaled / scale).\(zeros)\(decimals)"
  }
}
