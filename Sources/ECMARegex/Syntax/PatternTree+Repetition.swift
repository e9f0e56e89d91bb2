extension PatternTree {
  /// A part of a pattern, and how often it is matched in a row.
  struct Turns {
    let item: PatternTree
    let least: Int
    /// Nil stands for any number.
    let most: Int?
  }

  /// The repeated part and the counts, with repetitions of repetitions made one: `(?:a+)*` is `a*`.
  ///
  /// Called only where nobody asks what a group caught. The possible numbers of turns of
  /// `(?:a{m,n}){p,q}` leave no gap where m is 0 or 1, or p is q. Those of `(?:a{2}){1,2}` would.
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

  /// Nil stands for any number. A product that no number holds counts as that.
  private static func product(_ one: Int?, _ two: Int?) -> Int? {
    if one == 0 || two == 0 { return 0 }
    guard let one, let two else { return nil }
    let (product, isTooLarge) = one.multipliedReportingOverflow(by: two)
    return isTooLarge ? nil : product
  }
}
