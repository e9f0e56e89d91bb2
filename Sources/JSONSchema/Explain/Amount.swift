import AgentJSON
import AgentText

/// An amount with its unit in a text: `60s`, `5 min`, `1.5h`, `1m30s`, `10MB`.
struct Amount {
  private struct Part {
    let digits: String
    /// The amount in thousandths. `nil` if it overflows.
    let count: Int?
    let unit: UnitHint
  }

  private let parts: [Part]

  /// Reads a text. Returns `nil` if it isn't an amount, or has mixed dimensions.
  init?(_ text: String) {
    guard text.utf8.count <= 40 else { return nil }
    var rest = text[...]
    var parts: [Part] = []
    while !rest.isEmpty {
      guard let part = Self.part(&rest) else { return nil }
      parts.append(part)
    }
    guard let first = parts.first,
      parts.allSatisfy({ $0.unit.dimension == first.unit.dimension })
    else { return nil }
    self.parts = parts
  }

  /// The number without its unit. `nil` if there are several.
  var number: String? { parts.count == 1 ? parts[0].digits : nil }

  /// The dimension of its units.
  var dimension: UnitHint.Dimension { parts[0].unit.dimension }

  /// Returns the amount in another unit as a JSON number, or `nil` if it isn't a number of the
  /// wanted kind.
  func converted(to wanted: UnitHint, isWhole: Bool) -> String? {
    guard dimension == wanted.dimension, let total else { return nil }
    let (divisor, overflow) = wanted.factor.multipliedReportingOverflow(by: 1000)
    if overflow { return nil }
    if total.isMultiple(of: divisor) { return String(total / divisor) }
    return isWhole ? nil : JSONNumber(Double(total) / Double(divisor))?.text
  }

  /// The amount in thousandths of the smallest unit.
  private var total: Int? {
    var total = 0
    for part in parts {
      guard let count = part.count else { return nil }
      let (product, isTooGreat) = count.multipliedReportingOverflow(by: part.unit.factor)
      let (sum, overflow) = total.addingReportingOverflow(product)
      if isTooGreat || overflow { return nil }
      total = sum
    }
    return total
  }

  private static func part(_ rest: inout Substring) -> Part? {
    rest = rest.drop { $0 == " " }
    let digits = rest.prefix { ("0"..."9").contains($0) || $0 == "." }
    rest = rest[digits.endIndex...].drop { $0 == " " }
    let word = rest.prefix { $0.isLetter || $0 == "%" }
    rest = rest[word.endIndex...].drop { $0 == " " }
    guard JSONNumber(parsing: String(digits)) != nil, let unit = UnitHint(word: String(word))
    else { return nil }
    return Part(digits: String(digits), count: thousandths(digits), unit: unit)
  }

  private static func thousandths(_ digits: Substring) -> Int? {
    let sides = digits.split(separator: ".")
    let fraction = sides.count > 1 ? sides[1] : ""
    guard let whole = sides.first, fraction.count <= 3 else { return nil }
    return Int(whole + fraction + String(repeating: "0", count: 3 - fraction.count))
  }
}
