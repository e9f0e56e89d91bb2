import AgentJSON

/// What to do about a value of the wrong type.
struct TypeAdvice {
  let types: TypeSet
  let subject: Subject
  let spot: Spot

  var sentence: String? {
    let node = subject.node
    switch node.kind {
    case .null: return forNull
    case .string: return forText(node.string ?? "")
    case .number: return forNumber(node)
    case .bool: return types.contains(.string) ? "Put quotes around it." : nil
    case .array: return forArray(node)
    case .object: return types.contains(.array) ? "Put it in brackets: [{ … }]." : nil
    }
  }

  private var forNull: String? {
    guard let key = spot.key, !spot.isRequired else { return nil }
    let isElement = JSONPointer(tokens: [key]).dotted.hasPrefix("[")
    return isElement ? "Leave it out." : "Leave the key out."
  }

  private func forText(_ text: String) -> String? {
    if let value = try? JSONValue(parsing: text), types.isSuperset(of: TypeSet(of: value)) {
      switch value {
      case .number, .bool: return "Remove the quotes."
      case .null: return "Remove the quotes, or leave the key out."
      default: return "Write it as JSON, without the quotes around it."
      }
    }
    if types.contains(.boolean), let bool = Self.words[text.lowercased()] {
      return write("\(bool)")
    }
    if !types.isDisjoint(with: .number), let sentence = forAmount(text) { return sentence }
    guard types.contains(.array) else { return nil }
    return write("[\(FoundText.quoted(text))]")
  }

  private func forAmount(_ text: String) -> String? {
    guard let (amount, unit) = UnitHint.amount(in: text) else { return nil }
    guard let wanted = UnitHint(key: spot.key, notes: subject.schema.notes) else {
      return "Write the number without its unit: \(amount)."
    }
    guard let number = Int(amount), let converted = unit.convert(number, to: wanted) else {
      return "Write a number; the unit is \(wanted.name)."
    }
    return "Write \(converted); the unit is \(wanted.name)."
  }

  private func forNumber(_ node: JSONNode) -> String? {
    guard let number = node.number else { return nil }
    if types.contains(.integer), !number.isInteger { return "Write it without a fraction." }
    if types.contains(.string) { return "Put quotes around it: \"\(number.text)\"." }
    if types.contains(.boolean), let int = number.int, int == 0 || int == 1 {
      return write(int == 1 ? "true" : "false")
    }
    return types.contains(.array) ? write("[\(number.text)]") : nil
  }

  private func forArray(_ node: JSONNode) -> String? {
    guard node.count == 1, let only = node[0], types.isSuperset(of: TypeSet(of: only)) else {
      return nil
    }
    return "Remove the brackets."
  }

  private func write(_ text: String) -> String { "Write \(text)." }

  private static let words = [
    "true": true, "yes": true, "on": true, "y": true, "enabled": true,
    "false": false, "no": false, "off": false, "n": false, "disabled": false,
  ]
}
