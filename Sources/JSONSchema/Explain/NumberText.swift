import AgentJSON

/// Numbers in other notations than JSON's: `1,000`, `1_000`, `9,5`, `0x10`, `+5`.
enum NumberText {
  /// Returns the number in JSON. An ambiguous text has two results.
  static func interpretations(of text: String) -> [String] {
    let text = text.filter { $0 != " " && $0 != "_" && $0 != "'" }
    guard text.contains(where: \.isNumber), text.utf8.count <= 40 else { return [] }
    if let value = based(text) { return [String(value)] }
    if !text.contains(",") { return [plain(text)].compactMap(\.self) }
    let groups = text.split(separator: ",", omittingEmptySubsequences: false)
    let areThousands = groups.dropFirst().allSatisfy { group in
      group.prefix { $0 != "." }.count == 3
    }
    let joined = areThousands ? plain(text.filter { $0 != "," }) : nil
    let isDecimal = groups.count == 2 && !text.contains(".")
    let decimal = isDecimal ? plain(groups.joined(separator: ".")) : nil
    return [joined, decimal].compactMap(\.self)
  }

  private static func based(_ text: String) -> Int? {
    for (mark, radix) in [("0x", 16), ("0b", 2), ("0o", 8)] where text.lowercased().hasPrefix(mark)
    {
      return Int(text.dropFirst(2), radix: radix)
    }
    return nil
  }

  /// Removes a plus sign, leading zeros, and a point without digits beside it.
  private static func plain(_ text: String) -> String? {
    let isNegative = text.hasPrefix("-")
    var digits = text.drop { $0 == "+" || $0 == "-" }
    guard text.count - digits.count <= 1 else { return nil }
    if digits.hasSuffix(".") { digits = digits.dropLast() }
    digits = digits.drop { $0 == "0" }
    let isBare = digits.first.map { !("0"..."9").contains($0) } ?? true
    let number = (isNegative ? "-" : "") + (isBare ? "0" : "") + digits
    return JSONNumber(parsing: number)?.text
  }
}
