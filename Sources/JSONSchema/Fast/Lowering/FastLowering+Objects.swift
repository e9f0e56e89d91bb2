import AgentJSON
import ECMARegex

extension FastLowering {
  /// Adds the demands on members as one step. It passes over the members once for names, required
  /// keys and others.
  mutating func addMembers(_ node: SchemaNode, _ steps: inout [FastInstruction]) -> Bool {
    var parts = MemberParts()
    for keyword in node.keywords {
      switch keyword {
      case .required(let keys): parts.required = keys
      case .propertyNames(let node):
        // A schema without demands would cost time for every key.
        if isDemanding(node) { parts.names = node }
      case .properties(let rules): parts.rules = rules
      default: continue
      }
    }
    // A schema without demands is only kept for the marks.
    parts.others = parts.rules.others.flatMap { covers || isDemanding($0) ? $0 : nil }
    let demands =
      parts.rules.named.nodes + parts.rules.matching.map(\.node)
      + [parts.others, parts.names].compactMap(\.self)
    let hasDemands = demands.contains { covers || isDemanding($0) }
    guard hasDemands || !parts.required.isEmpty else { return true }
    add(parts, &steps)
    return true
  }

  private struct MemberParts {
    var required: [String] = []
    var names: Int?
    var rules = PropertyRules()
    var others: Int?
  }

  /// Returns the body for an object that requires certain keys.
  mutating func body(requiring keys: [String]) -> UInt32 {
    var members = MemberParts()
    members.required = keys
    var steps: [FastInstruction] = []
    add(members, &steps)
    return finish(&steps)
  }

  private func isDemanding(_ node: Int) -> Bool {
    !program.nodes[node].keywords.isEmpty
  }

  private mutating func add(_ members: MemberParts, _ steps: inout [FastInstruction]) {
    let isPlain = members.rules.matching.isEmpty && members.names == nil && !covers
    let others = members.others.map { child($0) } ?? .nothing
    var rule = FastMembers()
    var keys = members.rules.named.map { key, node in
      // The key stays in the table without a unit. It is named, so `others` doesn't apply to it.
      let isFree = isPlain && !isDemanding(node)
      return FastTable.Row(text: key, target: isFree ? .nothing : child(node))
    }
    var further: Set<ExactText> = []
    for (bit, key) in members.required.enumerated() {
      // A word has bits for 63 keys. A set contains the others, which are rare.
      guard bit < FastSlot.unwatched else {
        further.insert(ExactText(key))
        continue
      }
      rule.required |= 1 << UInt64(bit)
      if let place = members.rules.named.position(of: key) {
        keys[place].bit = UInt32(bit)
      } else {
        // A required key that no rule names is one of the others. `anyMembers` determines that
        // itself, because a pattern may match it.
        keys.append(
          FastTable.Row(text: key, target: isPlain ? others : .nothing, bit: UInt32(bit)))
      }
    }
    if !further.isEmpty {
      steps.append(FastInstruction(operation: .keysPresent, a: UInt32(parts.keys.count)))
      parts.keys.append(further)
    }
    rule.table = table(keys)
    rule.least = UInt32(clamping: members.required.count)
    rule.others = others
    rule.names = members.names.map { child($0) } ?? .nothing
    rule.covers = covers
    if !members.rules.matching.isEmpty {
      let pairs = members.rules.matching.flatMap { [pattern($0.pattern), child($0.node)] }
      rule.patterns = list(pairs)
    }
    steps.append(
      FastInstruction(
        operation: isPlain ? .members : .anyMembers, a: UInt32(parts.members.count)))
    parts.members.append(rule)
  }

  private mutating func pattern(_ pattern: Pattern) -> UInt32 {
    parts.patterns.append(pattern)
    return UInt32(parts.patterns.count - 1)
  }
}

// MARK: - Slots and tables

extension FastLowering {
  /// Creates a slot for a string.
  mutating func slot(_ text: String) -> UInt32 {
    parts.slots.append(filled(text).slot)
    return UInt32(parts.slots.count - 1)
  }

  /// Creates a table of strings with their targets and bits.
  mutating func table(_ rows: [FastTable.Row]) -> FastTable {
    // Twice as many slots as strings and at least two, because a search ends at an empty one.
    let bits = max(1, Int.bitWidth - (max(rows.count, 1) * 2 - 1).leadingZeroBitCount)
    let table = FastTable(start: UInt32(parts.slots.count), shift: UInt32(64 - bits))
    parts.slots += Array(repeating: FastSlot(), count: 1 << bits)
    for row in rows {
      var (slot, hash) = filled(row.text)
      slot.target = row.target
      slot.bit = row.bit
      var position = hash &>> UInt64(table.shift)
      while parts.slots[Int(table.start) + Int(position)].length != .nothing {
        position = (position + 1) & table.mask
      }
      parts.slots[Int(table.start) + Int(position)] = slot
    }
    return table
  }

  private mutating func filled(_ text: String) -> (slot: FastSlot, hash: UInt64) {
    var copy = text
    let (slot, hash) = copy.withUTF8 { buffer -> (FastSlot, UInt64) in
      guard let start = buffer.baseAddress else {
        return (FastSlot(length: 0), FastKey.emptyHash)
      }
      let key = FastKey(start, length: buffer.count, bytesAfter: 0)
      return (FastSlot(first: key.first, last: key.last, length: key.length), key.hash)
    }
    var placed = slot
    placed.text = UInt32(parts.text.count)
    // Shorter strings are compared by their words alone.
    if copy.utf8.count > 16 { parts.text += copy.utf8 }
    return (placed, hash)
  }
}

extension FastKey {
  /// The hash of a string without bytes, as ``hash`` computes it: a product with zero.
  static let emptyHash: UInt64 = 0
}
