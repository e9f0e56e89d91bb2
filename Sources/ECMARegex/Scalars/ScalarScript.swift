/// Scripts, by Unicode's short or long name: `Grek`, `Greek`.
package enum ScalarScript {
  /// Returns the scalars whose property `Script` has this value, or `nil` if there is no such
  /// script.
  package static func ranges(of name: String) -> [ClosedRange<UInt32>]? {
    if name == "Zzzz" || name == "Unknown" { return unknown }
    return TableRow.find(name, in: ScriptTable.text)?.ranges
  }

  /// Returns the scalars whose property `Script_Extensions` contains this script.
  static func extended(_ name: String) -> [ClosedRange<UInt32>]? {
    guard let own = ranges(of: name) else { return nil }
    guard let row = TableRow.find(name, in: ScriptExtensionTable.text) else { return own }
    let all = ScalarSet.normalized(own + row.ranges)
    guard !row.removed.isEmpty else { return all }
    let rest = ScalarSet.complement(of: all) + row.removed
    return ScalarSet.complement(of: ScalarSet.normalized(rest))
  }

  /// The scalars without a script.
  private static var unknown: [ClosedRange<UInt32>] {
    ScalarSet.complement(of: ScalarSet.normalized(TableRow.all(in: ScriptTable.text)))
  }
}

/// A line of a generated table: names, a colon, ranges, and further ranges after a minus sign.
struct TableRow {
  var ranges: [ClosedRange<UInt32>]
  var removed: [ClosedRange<UInt32>] = []

  static func find(_ name: String, in table: StaticString) -> TableRow? {
    let wanted = Array(name.utf8)
    return table.withUTF8Buffer { text in
      for line in text.split(separator: UInt8(ascii: "\n")) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
        let names = line[..<colon].split(separator: UInt8(ascii: " "))
        guard names.contains(where: { $0.elementsEqual(wanted) }) else { continue }
        return TableRow(line[line.index(after: colon)...])
      }
      return nil
    }
  }

  /// Returns the ranges of all rows, unsorted.
  static func all(in table: StaticString) -> [ClosedRange<UInt32>] {
    table.withUTF8Buffer { text in
      text.split(separator: UInt8(ascii: "\n")).flatMap { line in
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.startIndex
        return TableRow(line[line.index(after: colon)...]).ranges
      }
    }
  }

  private init(_ text: Slice<UnsafeBufferPointer<UInt8>>) {
    var reader = TableReader(text)
    ranges = reader.ranges()
    _ = reader.take(" ")
    if reader.take("-") { removed = reader.ranges() }
  }
}
