/// The binary properties of ECMA-262 that Swift's standard library knows, by their long names.
enum BinaryProperty: String, Sendable, Hashable {
  case ascii = "ASCII"
  case asciiHexDigit = "ASCII_Hex_Digit"
  case alphabetic = "Alphabetic"
  case any = "Any"
  case assigned = "Assigned"
  case bidiControl = "Bidi_Control"
  case bidiMirrored = "Bidi_Mirrored"
  case caseIgnorable = "Case_Ignorable"
  case cased = "Cased"
  case changesWhenCasefolded = "Changes_When_Casefolded"
  case changesWhenCasemapped = "Changes_When_Casemapped"
  case changesWhenLowercased = "Changes_When_Lowercased"
  case changesWhenNFKCCasefolded = "Changes_When_NFKC_Casefolded"
  case changesWhenTitlecased = "Changes_When_Titlecased"
  case changesWhenUppercased = "Changes_When_Uppercased"
  case dash = "Dash"
  case defaultIgnorableCodePoint = "Default_Ignorable_Code_Point"
  case deprecated = "Deprecated"
  case diacritic = "Diacritic"
  case emoji = "Emoji"
  case emojiModifier = "Emoji_Modifier"
  case emojiModifierBase = "Emoji_Modifier_Base"
  case emojiPresentation = "Emoji_Presentation"
  case extender = "Extender"
  case graphemeBase = "Grapheme_Base"
  case graphemeExtend = "Grapheme_Extend"
  case hexDigit = "Hex_Digit"
  case idsBinaryOperator = "IDS_Binary_Operator"
  case idsTrinaryOperator = "IDS_Trinary_Operator"
  case idContinue = "ID_Continue"
  case idStart = "ID_Start"
  case ideographic = "Ideographic"
  case joinControl = "Join_Control"
  case logicalOrderException = "Logical_Order_Exception"
  case lowercase = "Lowercase"
  case math = "Math"
  case noncharacterCodePoint = "Noncharacter_Code_Point"
  case patternSyntax = "Pattern_Syntax"
  case patternWhiteSpace = "Pattern_White_Space"
  case quotationMark = "Quotation_Mark"
  case radical = "Radical"
  case sentenceTerminal = "Sentence_Terminal"
  case softDotted = "Soft_Dotted"
  case terminalPunctuation = "Terminal_Punctuation"
  case unifiedIdeograph = "Unified_Ideograph"
  case uppercase = "Uppercase"
  case variationSelector = "Variation_Selector"
  case whiteSpace = "White_Space"
  case xidContinue = "XID_Continue"
  case xidStart = "XID_Start"

  /// Returns the property with a long or short name, or `nil` if there is none.
  init?(named name: String) {
    self.init(rawValue: Self.aliases[name] ?? name)
  }

  private static let aliases = [
    "AHex": "ASCII_Hex_Digit", "Alpha": "Alphabetic", "Bidi_C": "Bidi_Control",
    "Bidi_M": "Bidi_Mirrored", "CI": "Case_Ignorable", "CWCF": "Changes_When_Casefolded",
    "CWCM": "Changes_When_Casemapped", "CWL": "Changes_When_Lowercased",
    "CWKCF": "Changes_When_NFKC_Casefolded", "CWT": "Changes_When_Titlecased",
    "CWU": "Changes_When_Uppercased", "DI": "Default_Ignorable_Code_Point", "Dep": "Deprecated",
    "Dia": "Diacritic", "EMod": "Emoji_Modifier", "EBase": "Emoji_Modifier_Base",
    "EPres": "Emoji_Presentation", "Ext": "Extender", "Gr_Base": "Grapheme_Base",
    "Gr_Ext": "Grapheme_Extend", "Hex": "Hex_Digit", "IDSB": "IDS_Binary_Operator",
    "IDST": "IDS_Trinary_Operator", "IDC": "ID_Continue", "IDS": "ID_Start", "Ideo": "Ideographic",
    "Join_C": "Join_Control", "LOE": "Logical_Order_Exception", "Lower": "Lowercase",
    "NChar": "Noncharacter_Code_Point", "Pat_Syn": "Pattern_Syntax",
    "Pat_WS": "Pattern_White_Space", "QMark": "Quotation_Mark", "STerm": "Sentence_Terminal",
    "SD": "Soft_Dotted", "Term": "Terminal_Punctuation", "UIdeo": "Unified_Ideograph",
    "Upper": "Uppercase", "VS": "Variation_Selector", "space": "White_Space",
    "XIDC": "XID_Continue", "XIDS": "XID_Start",
  ]
}

extension BinaryProperty {
  func holds(for scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    return switch self {
    case .ascii: scalar.isASCII
    case .any: true
    case .assigned: properties.generalCategory != .unassigned
    case .asciiHexDigit: properties.isASCIIHexDigit
    case .alphabetic: properties.isAlphabetic
    case .bidiControl: properties.isBidiControl
    case .bidiMirrored: properties.isBidiMirrored
    case .caseIgnorable: properties.isCaseIgnorable
    case .cased: properties.isCased
    case .changesWhenCasefolded: properties.changesWhenCaseFolded
    case .changesWhenCasemapped: properties.changesWhenCaseMapped
    case .changesWhenLowercased: properties.changesWhenLowercased
    case .changesWhenNFKCCasefolded: properties.changesWhenNFKCCaseFolded
    case .changesWhenTitlecased: properties.changesWhenTitlecased
    case .changesWhenUppercased: properties.changesWhenUppercased
    case .dash: properties.isDash
    case .defaultIgnorableCodePoint: properties.isDefaultIgnorableCodePoint
    case .deprecated: properties.isDeprecated
    case .diacritic: properties.isDiacritic
    case .emoji: properties.isEmoji
    case .emojiModifier: properties.isEmojiModifier
    case .emojiModifierBase: properties.isEmojiModifierBase
    case .emojiPresentation: properties.isEmojiPresentation
    case .extender: properties.isExtender
    case .graphemeBase: properties.isGraphemeBase
    case .graphemeExtend: properties.isGraphemeExtend
    case .hexDigit: properties.isHexDigit
    case .idsBinaryOperator: properties.isIDSBinaryOperator
    case .idsTrinaryOperator: properties.isIDSTrinaryOperator
    case .idContinue: properties.isIDContinue
    case .idStart: properties.isIDStart
    case .ideographic: properties.isIdeographic
    case .joinControl: properties.isJoinControl
    case .logicalOrderException: properties.isLogicalOrderException
    case .lowercase: properties.isLowercase
    case .math: properties.isMath
    case .noncharacterCodePoint: properties.isNoncharacterCodePoint
    case .patternSyntax: properties.isPatternSyntax
    case .patternWhiteSpace: properties.isPatternWhitespace
    case .quotationMark: properties.isQuotationMark
    case .radical: properties.isRadical
    case .sentenceTerminal: properties.isSentenceTerminal
    case .softDotted: properties.isSoftDotted
    case .terminalPunctuation: properties.isTerminalPunctuation
    case .unifiedIdeograph: properties.isUnifiedIdeograph
    case .uppercase: properties.isUppercase
    case .variationSelector: properties.isVariationSelector
    case .whiteSpace: properties.isWhitespace
    case .xidContinue: properties.isXIDContinue
    case .xidStart: properties.isXIDStart
    }
  }
}
