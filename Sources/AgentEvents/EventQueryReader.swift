/// Splits a query into terms. Every sign that means something else in the Pipes language is
/// refused by name, so that a query never means one thing here and another thing later.
struct EventQueryReader {
  enum Term {
    case everything
    case type(String)
    case filter(EventQuery.Filter)
  }

  private let characters: [Character]
  private var index = 0

  init(_ text: String) { characters = Array(text) }

  private static let meaningful: [Character: String] = [
    "|": "alternatives", "&": "operators", "(": "groups", ")": "groups", "-": "negation",
    "~": "fuzzy terms", "[": "ranges", "]": "ranges", "=": "pipes", "@": "pipe functions",
    ">": "comparisons", "<": "comparisons", "!": "negation", "#": "macros", "\\": "escapes",
    "'": "single quotes", ",": "lists", ";": "lists", "{": "ranges", "}": "ranges",
    "$": "macros", "?": "wildcards",
  ]

  mutating func terms() throws(EventQueryError) -> [Term] {
    var terms: [Term] = []
    skipBlanks()
    guard index < characters.count else {
      throw fail("the query is empty; write an event type, or * for every event.")
    }
    while index < characters.count {
      terms.append(try term(first: terms.isEmpty))
      skipBlanks()
    }
    return terms
  }

  private mutating func term(first: Bool) throws(EventQueryError) -> Term {
    let start = index
    let word = try word()
    guard index < characters.count, characters[index] == ":" else {
      guard first else {
        throw fail(
          at: start, "only the first word names a type; write a filter as field:value.")
      }
      return word.isStar ? .everything : .type(word.text)
    }
    guard !word.isStar else {
      throw fail(at: start, "a filter needs a field's name before the colon.")
    }
    index += 1
    guard index < characters.count, !characters[index].isWhitespace else {
      throw fail("a value is missing after \"\(word.text):\".")
    }
    let value = try self.word()
    if word.text == "type", first { return value.isStar ? .everything : .type(value.text) }
    return .filter(.init(field: word.text, value: value.isStar ? nil : value.text))
  }

  private mutating func word() throws(EventQueryError) -> (text: String, isStar: Bool) {
    if characters[index] == "\"" { return (try quoted(), false) }
    let start = index
    while index < characters.count, !characters[index].isWhitespace, characters[index] != ":" {
      try check(characters[index], isFirst: index == start)
      index += 1
    }
    guard index > start else { throw fail("a name is missing before the colon.") }
    let text = String(characters[start..<index])
    guard text == "*" || !text.contains("*") else {
      throw fail(
        at: start, "wildcards within a word can't be used yet; * alone means any value.")
    }
    return (text, text == "*")
  }

  private func check(_ character: Character, isFirst: Bool) throws(EventQueryError) {
    // A hyphen inside a word is part of the word, as in `cpu-load`; in front it negates.
    if character == "-", !isFirst { return }
    guard character != "\"" else {
      throw fail("a quote can't stand inside a word; quote the whole value.")
    }
    guard let feature = Self.meaningful[character] else { return }
    throw fail(
      "\(feature) (\"\(character)\") can't be used yet; a query is an event type and "
        + "field:value filters. Put a value with signs in double quotes.")
  }

  private mutating func quoted() throws(EventQueryError) -> String {
    let start = index
    index += 1
    var text = ""
    while index < characters.count {
      let character = characters[index]
      index += 1
      if character == "\"" { return text }
      if character == "\\", index < characters.count {
        text.append(characters[index])
        index += 1
      } else {
        text.append(character)
      }
    }
    throw fail(at: start, "the quote isn't closed.")
  }

  private mutating func skipBlanks() {
    while index < characters.count, characters[index].isWhitespace { index += 1 }
  }

  private func fail(at position: Int? = nil, _ message: String) -> EventQueryError {
    EventQueryError(column: (position ?? index) + 1, message: message)
  }
}
