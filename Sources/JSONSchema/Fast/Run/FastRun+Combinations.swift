import AgentJSON

extension FastRun {
  func anyOf(_ list: UInt32, _ index: Int) -> Bool {
    let first = Int(list) &+ 1
    for place in first..<first &+ Int(memory.lists[Int(list)])
    where run(memory.lists[place], index) { return true }
    return false
  }

  func oneOf(_ list: UInt32, _ index: Int) -> Bool {
    let first = Int(list) &+ 1
    var matching = 0
    for place in first..<first &+ Int(memory.lists[Int(list)])
    where run(memory.lists[place], index) {
      matching += 1
      // A third match doesn't change the result.
      if matching == 2 { return false }
    }
    return matching == 1
  }

  func choose(_ choice: FastChoice, _ object: Int) -> Bool {
    guard let bodies = bodies(choice, object) else { return false }
    // With marks, every matching branch must run, so these have their own loops.
    if choice.covers {
      return choice.isExclusive ? coverOneOf(bodies, object) : coverAnyOf(bodies, object)
    }
    return choice.isExclusive ? oneOf(bodies, object) : anyOf(bodies, object)
  }

  /// Returns the list of the bodies that can match, or `nil` if there is none.
  private func bodies(_ choice: FastChoice, _ object: Int) -> UInt32? {
    guard let value = value(choice.key, object) else { return choice.missing }
    guard records[value].kind == .string else { return nil }
    let found = find(value, in: choice.table)
    return found == .nothing ? nil : memory.slots[Int(found)].target
  }
}
