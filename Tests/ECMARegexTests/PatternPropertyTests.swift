import Testing

@Suite struct PatternPropertyTests {
  @Test(arguments: [
    ("^\\p{L}+$", ["aÉжλ中"], ["1", "-"]), ("^\\p{Letter}$", ["a"], ["1"]),
    ("^\\p{gc=Lu}\\p{General_Category=Ll}$", ["Éa"], ["aÉ"]), ("^\\p{digit}+$", ["1٣"], ["a"]),
    ("^\\p{LC}$", ["a", "A", "ǅ"], ["中", "ª"]), ("^\\p{punct}$", ["!", "«"], ["a", "+"]),
    ("^\\p{Sc}$", ["€", "$"], ["a"]), ("^\\p{Zs}$", [" ", "\u{A0}"], ["\n"]),
    ("^\\p{Cn}$", ["\u{378}"], ["a"]), ("^\\p{C}$", ["\u{0}", "\u{AD}", "\u{E000}"], ["a"]),
    ("^\\P{Lu}$", ["a", "1"], ["A"]), ("^[^\\P{Lu}]$", ["A"], ["a"]),
    ("^[\\p{Lu}\\P{L}]$", ["A", "1"], ["a"]), ("^\\p{Combining_Mark}$", ["\u{301}"], ["a"]),
  ]) func categories(pattern: String, matching: [String], others: [String]) throws {
    try check(pattern, matching: matching, others: others)
  }

  @Test(arguments: [
    ("^\\p{Script=Greek}+$", ["λόγος"], ["logos", "·"]), ("^\\p{sc=Grek}$", ["λ"], ["ж"]),
    ("^\\p{Script=Cyrillic}+$", ["мир"], ["mir"]), ("^\\p{sc=Latn}+$", ["aÉſ"], ["λ", "1"]),
    ("^\\p{sc=Han}$", ["中", "々", "\u{20000}"], ["あ"]), ("^\\p{sc=Hira}$", ["あ"], ["ア", "ー"]),
    ("^\\p{scx=Hira}$", ["あ", "ー"], ["ア"]), ("^\\p{Script_Extensions=Deva}$", ["अ", "।"], ["a"]),
    ("^\\p{sc=Deva}$", ["अ"], ["।"]), ("^\\p{sc=Common}$", ["1", " ", "।"], ["a"]),
    ("^\\p{scx=Zyyy}$", ["1", " "], ["a", "।"]), ("^\\p{sc=Qaai}$", ["\u{301}"], ["a"]),
    ("^\\p{sc=Zzzz}$", ["\u{378}"], ["a"]), ("^\\P{sc=Grek}$", ["a"], ["λ"]),
    ("^\\p{sc=Tolong_Siki}$", ["\u{11DB0}"], ["a"]), ("^[\\p{sc=Thai}-]+$", ["ไทย-"], ["a"]),
  ]) func scripts(pattern: String, matching: [String], others: [String]) throws {
    try check(pattern, matching: matching, others: others)
  }

  @Test(arguments: [
    ("^\\p{Emoji}$", ["😀", "1"], ["a"]), ("^\\p{Emoji_Presentation}$", ["😀"], ["1"]),
    ("^\\p{Emoji_Component}$", ["#", "\u{1F3FB}"], ["a"]),
    ("^\\p{ExtPict}$", ["😀", "©"], ["1"]), ("^\\p{RI}{2}$", ["🇨🇭"], ["CH"]),
    ("^\\p{ID_Start}\\p{IDC}*$", ["año_1"], ["1a", "_a"]), ("^\\p{XIDS}$", ["a"], ["1"]),
    ("^\\p{Any}$", ["a", "\n", "😀"], [""]), ("^\\p{ASCII}+$", ["aZ~"], ["é"]),
    ("^\\p{Assigned}$", ["a"], ["\u{378}"]), ("^\\p{Alpha}+$", ["aéⅣ"], ["1"]),
    ("^\\p{AHex}+$", ["0fF"], ["g"]), ("^\\p{White_Space}$", [" ", "\u{85}"], ["\u{FEFF}"]),
    ("^\\p{Lower}+$", ["aª"], ["A"]), ("^\\p{Uppercase}$", ["A", "Ⓐ"], ["a"]),
    ("^\\p{Dash}$", ["-", "–"], ["_"]), ("^\\p{Ideo}$", ["中"], ["a"]),
  ]) func `binary properties match their characters`(
    pattern: String, matching: [String], others: [String]
  ) throws {
    try check(pattern, matching: matching, others: others)
  }

  /// ECMA-262, table "Binary Unicode property aliases", long and short names.
  private static let names = """
    ASCII ASCII_Hex_Digit AHex Alphabetic Alpha Any Assigned Bidi_Control Bidi_C Bidi_Mirrored \
    Bidi_M Case_Ignorable CI Cased Changes_When_Casefolded CWCF Changes_When_Casemapped CWCM \
    Changes_When_Lowercased CWL Changes_When_NFKC_Casefolded CWKCF Changes_When_Titlecased CWT \
    Changes_When_Uppercased CWU Dash Default_Ignorable_Code_Point DI Deprecated Dep Diacritic Dia \
    Emoji Emoji_Component EComp Emoji_Modifier EMod Emoji_Modifier_Base EBase Emoji_Presentation \
    EPres Extended_Pictographic ExtPict Extender Ext Grapheme_Base Gr_Base Grapheme_Extend Gr_Ext \
    Hex_Digit Hex IDS_Binary_Operator IDSB IDS_Trinary_Operator IDST ID_Continue IDC ID_Start IDS \
    Ideographic Ideo Join_Control Join_C Logical_Order_Exception LOE Lowercase Lower Math \
    Noncharacter_Code_Point NChar Pattern_Syntax Pat_Syn Pattern_White_Space Pat_WS \
    Quotation_Mark QMark Radical Regional_Indicator RI Sentence_Terminal STerm Soft_Dotted SD \
    Terminal_Punctuation Term Unified_Ideograph UIdeo Uppercase Upper Variation_Selector VS \
    White_Space space XID_Continue XIDC XID_Start XIDS
    """

  @Test func `every property of ECMA-262's table is known, and no other`() throws {
    for name in Self.names.split(separator: " ") {
      _ = try matches("\\p{\(name)}|\\P{\(name)}", "a")
    }
    let unknown = ["Block=Latin", "InGreek", "Line_Break", "l", "ascii", "L=Lu", "gc=", "sc=Hrkt"]
    for name in unknown {
      #expect(throws: (any Error).self, "\(name)") { try matches("\\p{\(name)}", "a") }
    }
  }
}
