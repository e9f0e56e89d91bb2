/// A Unicode property that a pattern names with `\p{…}`.
enum ScalarProperty: Sendable, Hashable {
  case categories(Set<Unicode.GeneralCategory>)
  case any
  case ascii
  case assigned
  case alphabetic
  case lowercase
  case uppercase
  case whitespace
  case emoji
  case identifierStart
  case identifierPart

  func holds(for scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    switch self {
    case .categories(let categories): return categories.contains(properties.generalCategory)
    case .any: return true
    case .ascii: return scalar.isASCII
    case .assigned: return properties.generalCategory != .unassigned
    case .alphabetic: return properties.isAlphabetic
    case .lowercase: return properties.isLowercase
    case .uppercase: return properties.isUppercase
    case .whitespace: return properties.isWhitespace
    case .emoji: return properties.isEmoji
    case .identifierStart: return properties.isIDStart
    case .identifierPart: return properties.isIDContinue
    }
  }
}

extension ScalarProperty {
  /// The property of the name inside `\p{…}`, or nil where it isn't known here.
  init?(named name: String) {
    if let binary = Self.binary[name] {
      self = binary
      return
    }
    var category = name
    for prefix in ["General_Category=", "gc="] where name.hasPrefix(prefix) {
      category = String(name.dropFirst(prefix.count))
    }
    guard let categories = Self.categories[category] else { return nil }
    self = .categories(categories)
  }

  private static let binary: [String: ScalarProperty] = [
    "Any": .any, "ASCII": .ascii, "Assigned": .assigned,
    "Alphabetic": .alphabetic, "Alpha": .alphabetic,
    "Lowercase": .lowercase, "Lower": .lowercase, "Uppercase": .uppercase, "Upper": .uppercase,
    "White_Space": .whitespace, "space": .whitespace, "Emoji": .emoji,
    "ID_Start": .identifierStart, "IDS": .identifierStart,
    "ID_Continue": .identifierPart, "IDC": .identifierPart,
  ]

  /// The general categories by short and long name, as Unicode's PropertyValueAliases lists them.
  private static let categories: [String: Set<Unicode.GeneralCategory>] = {
    var table: [String: Set<Unicode.GeneralCategory>] = [:]
    for (names, category) in single {
      for name in names {
        table[name] = [category]
        // The one-letter groups are the unions of what starts with their letter.
        if name.utf8.count == 2, let letter = name.first {
          table[String(letter), default: []].insert(category)
        }
      }
    }
    for (name, letter) in groups { table[name] = table[letter] }
    table["LC"] = [.uppercaseLetter, .lowercaseLetter, .titlecaseLetter]
    table["Cased_Letter"] = table["LC"]
    return table
  }()

  private static let groups = [
    ("Letter", "L"), ("Mark", "M"), ("Combining_Mark", "M"), ("Number", "N"),
    ("Punctuation", "P"), ("punct", "P"), ("Symbol", "S"), ("Separator", "Z"), ("Other", "C"),
  ]

  private static let single: [([String], Unicode.GeneralCategory)] = [
    (["Lu", "Uppercase_Letter"], .uppercaseLetter),
    (["Ll", "Lowercase_Letter"], .lowercaseLetter),
    (["Lt", "Titlecase_Letter"], .titlecaseLetter),
    (["Lm", "Modifier_Letter"], .modifierLetter),
    (["Lo", "Other_Letter"], .otherLetter),
    (["Mn", "Nonspacing_Mark"], .nonspacingMark),
    (["Mc", "Spacing_Mark"], .spacingMark),
    (["Me", "Enclosing_Mark"], .enclosingMark),
    (["Nd", "Decimal_Number", "digit"], .decimalNumber),
    (["Nl", "Letter_Number"], .letterNumber),
    (["No", "Other_Number"], .otherNumber),
    (["Pc", "Connector_Punctuation"], .connectorPunctuation),
    (["Pd", "Dash_Punctuation"], .dashPunctuation),
    (["Ps", "Open_Punctuation"], .openPunctuation),
    (["Pe", "Close_Punctuation"], .closePunctuation),
    (["Pi", "Initial_Punctuation"], .initialPunctuation),
    (["Pf", "Final_Punctuation"], .finalPunctuation),
    (["Po", "Other_Punctuation"], .otherPunctuation),
    (["Sm", "Math_Symbol"], .mathSymbol),
    (["Sc", "Currency_Symbol"], .currencySymbol),
    (["Sk", "Modifier_Symbol"], .modifierSymbol),
    (["So", "Other_Symbol"], .otherSymbol),
    (["Zs", "Space_Separator"], .spaceSeparator),
    (["Zl", "Line_Separator"], .lineSeparator),
    (["Zp", "Paragraph_Separator"], .paragraphSeparator),
    (["Cc", "Control", "cntrl"], .control),
    (["Cf", "Format"], .format),
    (["Cs", "Surrogate"], .surrogate),
    (["Co", "Private_Use"], .privateUse),
    (["Cn", "Unassigned"], .unassigned),
  ]
}
