import AgentJSON
import ECMARegex

extension SchemaCompiler {
  static let ofTexts: KeywordSet = [
    .pattern, .format, .contentEncoding, .contentMediaType,
  ]

  mutating func texts(_ keywords: inout [SchemaKeyword]) {
    if let text = reader.text(.pattern), let pattern = pattern(text, at: ["pattern"]) {
      keywords.append(.pattern(pattern))
    }
    if let name = reader.text(.format), assertsFormats,
      let format = Format(named: name, in: reader.rules.dialect)
    {
      keywords.append(.format(format))
    }
    if let rule = content(), options.content == .assertion { keywords.append(.content(rule)) }
  }

  private mutating func content() -> ContentRule? {
    let encoding = reader.text(.contentEncoding)?.lowercased()
    let type = reader.text(.contentMediaType)?.lowercased().split(separator: ";").first
    let isBase64 = encoding == "base64"
    // The content of a text with another encoding can't be checked.
    let isReadable = encoding == nil || isBase64
    let isJSON = isReadable && type == "application/json"
    return isBase64 || isJSON ? ContentRule(isBase64: isBase64, isJSON: isJSON) : nil
  }

  mutating func pattern(_ text: String, at tokens: [String]) -> Pattern? {
    do {
      return try Pattern(text)
    } catch {
      let quoted = FoundText.quoted(text)
      report(
        .malformedPattern, at: current, tokens: tokens,
        message: "The pattern \(quoted) can't be used: \(error.message)")
      return nil
    }
  }
}
