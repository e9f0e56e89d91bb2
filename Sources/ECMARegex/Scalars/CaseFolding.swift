/// Simple case folding: which scalars are the same letter where case is ignored.
///
/// ECMA-262 asks for the common and simple mappings of Unicode's CaseFolding.txt.
enum CaseFolding {
  /// The scalar in the form in which it is compared.
  static func fold(_ value: UInt32) -> UInt32 {
    tables.folds[value] ?? value
  }

  /// All scalars that fold as this one does, itself among them.
  static func alike(_ value: UInt32) -> [UInt32] {
    tables.families[fold(value)] ?? [value]
  }

  /// The ranges with everything that folds alike.
  static func closure(of ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
    if ranges.count == 1, ranges[0].count == 1 {
      return ScalarSet.normalized(alike(ranges[0].lowerBound).map { $0...$0 })
    }
    var result = ranges
    for family in tables.families.values
    where family.contains(where: { ScalarSet.holds($0, ranges) }) {
      result += family.map { $0...$0 }
    }
    return ScalarSet.normalized(result)
  }

  private struct Tables {
    var folds: [UInt32: UInt32] = [:]
    var families: [UInt32: [UInt32]] = [:]
  }

  private static let tables = CaseFoldingTable.text.withUTF8Buffer { text in
    var tables = Tables()
    for run in text.split(separator: UInt8(ascii: " ")) {
      var reader = TableReader(run)
      let first = reader.number()
      let more = reader.take("+") ? reader.number() : 0
      let step: UInt32 = reader.take("/") ? 2 : 1
      let goesUp = reader.take(">")
      if !goesUp { _ = reader.take("-") }
      let distance = reader.number()
      for count in 0...more {
        let value = first + count * step
        tables.folds[value] = goesUp ? value &+ distance : value &- distance
      }
    }
    for (value, target) in tables.folds { tables.families[target, default: [target]].append(value) }
    return tables
  }
}
