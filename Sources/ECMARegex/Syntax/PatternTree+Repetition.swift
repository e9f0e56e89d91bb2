extension PatternTree {
  /// A part of a pattern, and the number of its consecutive matches.
  struct Turns {
    let item: PatternTree
    let least: Int
    /// The largest number. `nil` means any number.
    let most: Int?
  }

  /// Returns the repeated part and the counts, with nested repetitions combined: `(?:a+)*` is `a*`.
  ///
  /// The caller must not need the text of groups. The possible numbers of `(?:a{m,n}){p,q}` have no
  /// gap if m is 0 or 1, or p equals q. Those of `(?:a{2}){1,2}` have one, so they aren't combined.
  static func merged(
    _ item: PatternTree, _ repetition: Repetition
  ) -> Turns {
    let (least, most) = (repetition.least, repetition.most)
    switch item {
    case .group(let inside, _): return merged(inside, repetition)
    case .repeated(let inside, let inner):
      let turned = merged(inside, inner)
      guard turned.least <= 1 || least == most, let all = product(least, turned.least) else {
        return Turns(item: item, least: least, most: most)
      }
      return Turns(item: turned.item, least: all, most: product(most, turned.most))
    default: return Turns(item: item, least: least, most: most)
    }
  }

  /// Returns the product, in which `nil` means any number. An overflow counts as that.
  private static func product(_ one: Int?, _ two: Int?) -> Int? {
    if one == 0 || two == 0 { return 0 }
    guard let one, let two else { return nil }
    let (product, isTooLarge) = one.multipliedReportingOverflow(by: two)
    return isTooLarge ? nil : product
  }
}
