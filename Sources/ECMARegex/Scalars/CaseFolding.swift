/// Simple case folding: the scalars that are equal if case is ignored.
///
/// ECMA-262 requires the common and simple mappings of Unicode's CaseFolding.txt.
enum CaseFolding {
  /// Returns the folded form of a scalar, which is used for comparison.
  static func fold(_ value: UInt32) -> UInt32 {
    tables.folds[value] ?? value
  }

  /// Returns all scalars with the same folded form, including this one.
  static func alike(_ value: UInt32) -> [UInt32] {
    tables.families[fold(value)] ?? [value]
  }

  /// Returns the ranges with all scalars that have the same folded forms.
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
