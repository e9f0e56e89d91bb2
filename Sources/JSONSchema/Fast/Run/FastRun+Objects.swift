import AgentJSON

extension FastRun {
  /// Checks the members in one pass: names, required keys and others.
  @inline(__always)
  func members(_ rule: FastMembers, _ object: Int) -> Bool {
    var left = UInt32(truncatingIfNeeded: records[object].count)
    // With fewer members than required keys, a key is missing.
    guard left >= rule.least, take(Int(left)) else { return false }
    var seen: UInt64 = 0
    var index = object &+ 1
    while left > 0 {
      let value = index &+ 1
      let found = find(index, in: rule.table)
      var unit = rule.others
      if found != .nothing {
        // Also if there is none: the key is named, so `others` doesn't apply to it.
        unit = memory.slots[Int(found)].target
        seen |= 1 &<< UInt64(memory.slots[Int(found)].bit)
      }
      if unit != .nothing, !fits(unit, value) { return false }
      index = Int(records[value].next)
      left &-= 1
    }
    // Keys that aren't required have set the bit `unwatched`, which isn't in `required`.
    return seen & rule.required == rule.required
  }

  /// Does the same as ``members(_:_:)`` with patterns, a schema for keys, and marks.
  func anyMembers(_ rule: FastMembers, _ object: Int) -> Bool {
    let count = records[object].count
    guard count >= Int(rule.least), take(count) else { return false }
    var seen: UInt64 = 0
    var index = object + 1
    for position in 0..<count {
      if rule.names != .nothing, !fits(rule.names, index) { return false }
      let found = find(index, in: rule.table)
      var isKnown = false
      if found != .nothing {
        let slot = memory.slots[Int(found)]
        seen |= 1 &<< UInt64(slot.bit)
        // A required key without a rule has a slot too, but no unit.
        isKnown = slot.target != .nothing
        if isKnown, !fits(slot.target, index + 1) { return false }
      }
      if rule.patterns != .nothing, !patterns(rule.patterns, index: index, isKnown: &isKnown) {
        return false
      }
      if !isKnown, rule.others != .nothing {
        if !fits(rule.others, index + 1) { return false }
        isKnown = true
      }
      if rule.covers, isKnown { mark(position) }
      index = Int(records[index + 1].next)
    }
    return seen & rule.required == rule.required
  }

  /// Checks the value of a member by all patterns that match its key.
  private func patterns(_ list: UInt32, index: Int, isKnown: inout Bool) -> Bool {
    let count = memory.lists[Int(list)]
    var place = Int(list) + 1
    for _ in 0..<count / 2 {
      if matches(Int(memory.lists[place]), index) {
        isKnown = true
        if !fits(memory.lists[place + 1], index + 1) { return false }
      }
      place += 2
    }
    return true
  }

  /// Returns the value for the key of a slot, or `nil`.
  func value(_ slot: UInt32, _ object: Int) -> Int? {
    let count = records[object].count
    guard take(count) else { return nil }
    var index = object + 1
    for _ in 0..<count {
      if isString(slot, index) { return index + 1 }
      index = Int(records[index + 1].next)
    }
    return nil
  }

  /// Runs the bodies that the keys of an object require.
  func dependents(_ table: FastTable, _ object: Int) -> Bool {
    let count = records[object].count
    guard take(count) else { return false }
    var index = object + 1
    for _ in 0..<count {
      let found = find(index, in: table)
      if found != .nothing, !run(memory.slots[Int(found)].target, object) { return false }
      index = Int(records[index + 1].next)
    }
    return true
  }

  func hasKey(_ slot: UInt32, _ object: Int) -> Bool {
    value(slot, object) != nil
  }

  /// Whether all keys of a set are there. Counts them, because no key is in an object twice.
  // Rare, and kept out of the code that runs the instructions.
  @inline(never)
  func hasKeys(_ set: UInt32, _ object: Int) -> Bool {
    let wanted = program.keys[Int(set)]
    var missing = wanted.count
    var index = object + 1
    for _ in 0..<records[object].count where missing > 0 {
      if wanted.contains(ExactText(string(index))) { missing -= 1 }
      index = Int(records[index + 1].next)
    }
    return missing == 0
  }
}
