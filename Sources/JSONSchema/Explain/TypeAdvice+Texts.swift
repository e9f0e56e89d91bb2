import AgentJSON
import AgentText

extension TypeAdvice {
  func forText(_ text: String) -> String? {
    if let sentence = forJSON(text) { return sentence }
    if types.contains(.boolean), let bool = Self.words[text.lowercased()] {
      return write("\(bool)")
    }
    return types.isDisjoint(with: .number) ? nil : forAmount(text) ?? forDigits(text)
  }

  /// Returns advice for a text that contains the expected value as JSON.
  private func forJSON(_ text: String) -> String? {
    guard let value = try? JSONValue(parsing: text), types.isSuperset(of: TypeSet(of: value))
    else { return nil }
    switch value {
    case .number, .bool: return "Remove the quotes."
    case .null: return "Remove the quotes, or leave the key out."
    default: return "Write it as JSON, without the quotes around it."
    }
  }

  private func forAmount(_ text: String) -> String? {
    guard let amount = Amount(text) else { return nil }
    if amount.dimension == .share, let sentence = forShare(amount) { return sentence }
    guard let wanted = UnitHint(key: location.key, notes: expectedSchema.notes) else {
      return amount.number.map { "Write the number without its unit: \($0)." }
    }
    guard let number = amount.converted(to: wanted, isWhole: !types.contains(.fraction)) else {
      return "Write a number; the unit is \(wanted.name)."
    }
    return "Write \(number); the unit is \(wanted.name)."
  }

  /// Returns advice for `"90%"` if 1 is the largest value: 0.9.
  private func forShare(_ amount: Amount) -> String? {
    guard let number = amount.number.flatMap(JSONNumber.init(parsing:)),
      !expectedSchema.admits(.number(number)), let share = JSONNumber(number.double / 100),
      expectedSchema.admits(.number(share))
    else { return nil }
    return write(share.text)
  }

  private func forDigits(_ text: String) -> String? {
    let interpretations = NumberText.interpretations(of: text).filter { text in
      JSONNumber(parsing: text).map { types.isSuperset(of: TypeSet(of: .number($0))) } ?? false
    }
    // A whole number isn't written as a fraction.
    let meant = types.contains(.fraction) ? interpretations : Array(interpretations.prefix(1))
    return meant.isEmpty ? nil : write(FoundText.choice(meant))
  }

  private static let words = [
    "true": true, "yes": true, "on": true, "y": true, "enabled": true,
    "false": false, "no": false, "off": false, "n": false, "disabled": false,
  ]
}

extension TypeAdvice {
  /// Advice for a single value in place of a list, or of an object with one key for it.
  var wrapped: String? {
    guard node.kind != .object, node.kind != .array, node.kind != .null else { return nil }
    let value = node.value
    if types == .object { return held(value, expectedSchema).map { write($0.text()) } }
    if let text = value.string, let list = split(text) { return write(list.text()) }
    if expectedSchema.elementTypes.isSuperset(of: TypeSet(of: value)) {
      return write(Self.shown([value]))
    }
    guard let element = expectedSchema.element, let inner = held(value, element) else { return nil }
    return write(Self.shown([inner]))
  }

  private func held(_ value: JSONValue, _ expectedSchema: ExpectedSchema) -> JSONValue? {
    expectedSchema.soleKey(for: value).map { .object([$0: value]) }
  }

  /// Returns `["cpu", "load"]` for `"cpu, load"` if that matches.
  private func split(_ text: String) -> JSONValue? {
    guard text.utf8.count <= 200 else { return nil }
    for mark: Character in [",", ";", " "] where text.contains(mark) {
      let parts = text.split(separator: mark).map { part in
        String(part.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
      }
      let list = JSONValue.array(parts.map { .string($0) })
      let isSingle = expectedSchema.admits([.string(text)])
      // A sentence is one text, unless only its parts match.
      let areWords = mark == "," && !parts.contains { $0.contains(" ") }
      if parts.count > 1, expectedSchema.admits(list), !isSingle || areWords { return list }
    }
    return nil
  }

  private static func shown(_ values: [JSONValue]) -> String {
    let text = JSONValue.array(values).text()
    return text.utf8.count > 80 ? "[\(values.map(FoundText.of).joined(separator: ","))]" : text
  }
}
