import AgentJSON

extension FastRun {
  @inline(__always)
  func elements(_ step: FastInstruction, _ array: Int) -> Bool {
    let count = records[array].count
    // One step for each element, so that a check ends even if a schema evaluates large lists
    // repeatedly.
    guard take(count) else { return false }
    let leading = Int(memory.lists[Int(step.a)])
    var index = array &+ 1
    var position = 0
    while position < min(leading, count) {
      if !fits(memory.lists[Int(step.a) &+ 1 &+ position], index) { return false }
      index = Int(records[index].next)
      position &+= 1
    }
    guard step.b != .nothing else { return true }
    while position < count {
      if !fits(step.b, index) { return false }
      index = Int(records[index].next)
      position &+= 1
    }
    return true
  }

  func contains(_ step: FastInstruction, _ array: Int) -> Bool {
    let count = records[array].count
    guard take(count) else { return false }
    var matching: UInt32 = 0
    var index = array + 1
    for _ in 0..<count {
      if fits(step.a, index) { matching += 1 }
      // Without an upper bound, further elements can't change the result.
      if matching >= step.b, step.c == .nothing { return true }
      index = Int(records[index].next)
    }
    return matching >= step.b && matching <= step.c
  }

  /// The largest number of elements for which pairwise comparison is faster than hashing.
  private static let largestComparedPairwise = 8

  func isUnique(_ array: Int) -> Bool {
    let count = records[array].count
    guard count > 1 else { return true }
    let text = FastText(self)
    if count > Self.largestComparedPairwise { return text.isUniqueByHash(array) }
    var index = array + 1
    for _ in 0..<count {
      var earlier = array + 1
      while earlier < index {
        if text.isEqual(earlier, against: text, at: index) { return false }
        earlier = Int(records[earlier].next)
      }
      index = Int(records[index].next)
    }
    return true
  }

  // This is rare, so it is kept out of the code that runs the instructions.
  @inline(never)
  func isAnyValue(_ choice: UInt32, _ index: Int) -> Bool {
    document.node(ofRecord: index).map(program.values[Int(choice)].contains) ?? false
  }

  func equalsAny(_ list: UInt32, _ index: Int) -> Bool {
    guard let constants = program.constants else { return false }
    let own = FastText(self)
    return constants.root.withTape { tape in
      guard let other = FastText(tape, constants) else { return false }
      let first = Int(list) + 1
      return (first..<first + Int(memory.lists[Int(list)])).contains { place in
        own.isEqual(index, against: other, at: program.constantRecords[Int(memory.lists[place])])
      }
    }
  }
}
