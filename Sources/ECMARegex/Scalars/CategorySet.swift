/// A set of general categories.
struct CategorySet: OptionSet, Hashable, Sendable {
  let rawValue: UInt32

  init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  private init(_ place: Int) {
    rawValue = 1 << UInt32(place)
  }

  /// Returns whether the set contains the scalar's category.
  func holds(for scalar: Unicode.Scalar) -> Bool {
    rawValue >> UInt32(CategoryPages.shared.category(of: scalar)) & 1 == 1
  }

  /// The ASCII characters of the set. Every set of scalars needs them when it is created.
  var ascii: ASCIISet {
    var members = ASCIISet()
    for (place, part) in Self.asciiParts.enumerated() where rawValue >> UInt32(place) & 1 == 1 {
      members.formUnion(part)
    }
    return members
  }

  private static let asciiParts: [ASCIISet] = {
    var parts = [ASCIISet](repeating: ASCIISet(), count: names.count)
    for byte in UInt8(0)..<128 {
      parts[Int(Unicode.Scalar(byte).properties.generalCategory.place)].set(byte, true)
    }
    return parts
  }()

  /// Returns the set with a short or long name or an alias from Unicode's PropertyValueAliases.txt,
  /// or `nil` if there is none.
  init?(named name: String) {
    guard let set = Self.byName[name] else { return nil }
    self = set
  }

  private static let byName: [String: CategorySet] = {
    var sets: [String: CategorySet] = [:]
    for (place, names) in names.enumerated() {
      for name in names { sets[name] = CategorySet(place) }
    }
    for group in groups {
      for name in group.names { sets[name] = group.set }
    }
    return sets
  }()

  /// The names, in the order of `place`.
  private static let names: [[String]] = [
    ["Lu", "Uppercase_Letter"], ["Ll", "Lowercase_Letter"], ["Lt", "Titlecase_Letter"],
    ["Lm", "Modifier_Letter"], ["Lo", "Other_Letter"], ["Mn", "Nonspacing_Mark"],
    ["Mc", "Spacing_Mark"], ["Me", "Enclosing_Mark"], ["Nd", "Decimal_Number", "digit"],
    ["Nl", "Letter_Number"], ["No", "Other_Number"], ["Pc", "Connector_Punctuation"],
    ["Pd", "Dash_Punctuation"], ["Ps", "Open_Punctuation"], ["Pe", "Close_Punctuation"],
    ["Pi", "Initial_Punctuation"], ["Pf", "Final_Punctuation"], ["Po", "Other_Punctuation"],
    ["Sm", "Math_Symbol"], ["Sc", "Currency_Symbol"], ["Sk", "Modifier_Symbol"],
    ["So", "Other_Symbol"], ["Zs", "Space_Separator"], ["Zl", "Line_Separator"],
    ["Zp", "Paragraph_Separator"], ["Cc", "Control", "cntrl"], ["Cf", "Format"],
    ["Cs", "Surrogate"], ["Co", "Private_Use"], ["Cn", "Unassigned"],
  ]

  private static let groups: [(names: [String], set: CategorySet)] = [
    (["L", "Letter"], .between(0, 4)), (["LC", "Cased_Letter"], .between(0, 2)),
    (["M", "Mark", "Combining_Mark"], .between(5, 7)), (["N", "Number"], .between(8, 10)),
    (["P", "Punctuation", "punct"], .between(11, 17)), (["S", "Symbol"], .between(18, 21)),
    (["Z", "Separator"], .between(22, 24)), (["C", "Other"], .between(25, 29)),
  ]

  private static func between(_ first: Int, _ last: Int) -> CategorySet {
    (first...last).reduce(into: []) { $0.formUnion(CategorySet($1)) }
  }
}

extension Unicode.GeneralCategory {
  /// The category's number in the order of `CategorySet`.
  var place: UInt8 {
    switch self {
    case .uppercaseLetter: 0
    case .lowercaseLetter: 1
    case .titlecaseLetter: 2
    case .modifierLetter: 3
    case .otherLetter: 4
    case .nonspacingMark: 5
    case .spacingMark: 6
    case .enclosingMark: 7
    case .decimalNumber: 8
    case .letterNumber: 9
    case .otherNumber: 10
    case .connectorPunctuation: 11
    case .dashPunctuation: 12
    case .openPunctuation: 13
    case .closePunctuation: 14
    case .initialPunctuation: 15
    case .finalPunctuation: 16
    case .otherPunctuation: 17
    case .mathSymbol: 18
    case .currencySymbol: 19
    case .modifierSymbol: 20
    case .otherSymbol: 21
    case .spaceSeparator: 22
    case .lineSeparator: 23
    case .paragraphSeparator: 24
    case .control: 25
    case .format: 26
    case .surrogate: 27
    case .privateUse: 28
    case .unassigned: 29
    @unknown default: 29
    }
  }
}
