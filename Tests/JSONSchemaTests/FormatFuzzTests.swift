import AgentJSON
import JSONSchema
import TestSupport
import Testing

/// Texts that nobody wrote: near to what the formats take, and far from it.
@Suite struct FormatFuzzTests {
  @Test(arguments: FormatCases.all)
  func `a format check agrees with and without reasons on any text`(
    file: FormatCases
  ) throws {
    var texts = MutatedTexts(from: try file.groups().flatMap(\.tests).compactMap(\.data.string))
    let schemas = try SchemaDialect.allCases.map {
      try Schema(
        ["$schema": .string($0.uri), "format": .string(file.format)],
        options: SchemaOptions(formats: .assertion))
    }
    let annotating = try Schema(["format": .string(file.format)])
    for _ in 0..<600 {
      let text = JSONDocument(.string(texts.next())).root
      for schema in schemas {
        #expect(schema.isValid(text) == schema.validate(text).isEmpty, "\(text.bytes)")
      }
      #expect(annotating.isValid(text))
    }
  }

  @Test func `long texts are checked in linear time`() throws {
    let schemas = try FormatCases.all.filter { $0.format != "regex" }.map {
      try Schema(
        ["format": .string($0.format)], options: SchemaOptions(formats: .assertion))
    }
    let parts = [
      "a", "1", "ü", "\u{5D0}", "a.", "ü.", ":", "::", "%41", "{a}", "/", "~0", "\"", "P1Y",
    ]
    for part in parts {
      let text = JSONDocument(.string(String(repeating: part, count: 50_000))).root
      for schema in schemas { #expect(schema.isValid(text) == schema.validate(text).isEmpty) }
    }
  }
}

/// An endless row of texts, the same in every run: known ones with a few scalars put in, taken
/// out, doubled or exchanged.
private struct MutatedTexts {
  private static let seasoning: [Unicode.Scalar] = [
    "\0", "\n", " ", "\"", "#", "%", "+", "-", ".", "/", "0", "1", "9", ":", "?", "@", "A", "P",
    "T",
    "Z", "[", "\\", "]", "^", "_", "a", "l", "n", "x", "{", "}", "~", "\u{7F}", "\u{80}", "\u{B7}",
    "\u{DF}", "\u{300}", "\u{375}", "\u{5D0}", "\u{5F3}", "\u{628}", "\u{660}", "\u{6F0}",
    "\u{94D}", "\u{1100}", "\u{200C}", "\u{200D}", "\u{202E}", "\u{3002}", "\u{30FB}", "\u{D7FF}",
    "\u{E000}", "\u{FF10}", "\u{FFFF}", "\u{1F600}", "\u{10FFFF}",
  ]

  private let known: [[Unicode.Scalar]]
  private var dice = SeededGenerator(seed: 1738)

  init(from texts: [String]) {
    known = texts.map { Array($0.unicodeScalars) }
  }

  mutating func next() -> String {
    var scalars = dice.pick(known, else: [])
    for _ in 0...dice.below(4) {
      let place = dice.below(scalars.count + 1)
      switch dice.below(4) {
      case 0: scalars.insert(dice.pick(Self.seasoning, else: " "), at: place)
      case 1 where place < scalars.count: scalars.remove(at: place)
      case 2 where place < scalars.count: scalars[place] = dice.pick(Self.seasoning, else: " ")
      default: scalars.insert(contentsOf: scalars[place...].prefix(dice.below(9)), at: place)
      }
    }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }
}
