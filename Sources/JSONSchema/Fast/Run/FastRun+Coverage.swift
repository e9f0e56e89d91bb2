import AgentJSON

/// The marks for `unevaluated…`: which members or elements of a value its schemas looked at. Each
/// has a bit, from `firstMark` on. The marks of a schema that turns out not to fit are removed.
extension FastRun {
  private var firstMark: Int { state.pointee.firstMark }

  private var marks: [UInt64] {
    get { state.pointee.rare.pointee.marks }
    nonmutating _modify { yield &state.pointee.rare.pointee.marks }
  }

  private func words(_ index: Int) -> Int { (records[index].count + 63) / 64 }

  func mark(_ position: Int) {
    marks[firstMark + position / 64] |= 1 << UInt64(position % 64)
  }

  private func isMarked(_ position: Int) -> Bool {
    marks[firstMark + position / 64] & 1 << UInt64(position % 64) != 0
  }

  func fresh(_ step: FastInstruction, _ index: Int) -> Bool {
    // One array holds the marks of the values around one another, the innermost at its end: nothing
    // is allocated for a value once the array is long enough.
    let (outer, count) = (firstMark, words(index))
    state.pointee.firstMark = marks.count
    marks.append(contentsOf: repeatElement(0, count: count))
    let holds = run(step.a, index)
    if holds, step.b == 1 {
      for word in 0..<count {
        marks[outer + word] |= marks[firstMark + word]
      }
    }
    marks.removeLast(count)
    state.pointee.firstMark = outer
    return holds
  }

  /// Runs a body that may fail without the value failing: its marks are removed then.
  func probe(_ body: UInt32, _ index: Int) -> Bool {
    let count = words(index)
    let copy = marks.count
    // A copy of all words is small: one bit for each member.
    for word in 0..<count { marks.append(marks[firstMark + word]) }
    let holds = run(body, index)
    if !holds {
      for word in 0..<count {
        marks[firstMark + word] = marks[copy + word]
      }
    }
    marks.removeLast(count)
    return holds
  }

  /// Runs all branches, because each one that fits has marks.
  func coverAnyOf(_ list: UInt32, _ index: Int) -> Bool {
    let first = Int(list) + 1
    var fits = false
    for place in first..<first + Int(memory.lists[Int(list)])
    where probe(memory.lists[place], index) { fits = true }
    return fits
  }

  func coverOneOf(_ list: UInt32, _ index: Int) -> Bool {
    let first = Int(list) + 1
    var matching = 0
    for place in first..<first + Int(memory.lists[Int(list)])
    where probe(memory.lists[place], index) {
      matching += 1
      // The marks of both stay, but this fails, and its caller takes them back.
      if matching == 2 { return false }
    }
    return matching == 1
  }

  func coverElements(_ step: FastInstruction, _ array: Int) -> Bool {
    let count = records[array].count
    let leading = step.b == .nothing ? min(Int(memory.lists[Int(step.a)]), count) : count
    // Before they are checked: where one of them fails, the whole body fails and its marks are
    // dropped.
    for position in 0..<leading { mark(position) }
    return elements(step, array)
  }

  func coverContained(_ step: FastInstruction, _ array: Int) -> Bool {
    let count = records[array].count
    guard take(count) else { return false }
    var matching: UInt32 = 0
    var index = array + 1
    // All are tried, however many fit already: each that fits is marked.
    for position in 0..<count {
      if fits(step.a, index) {
        matching += 1
        mark(position)
      }
      index = Int(records[index].next)
    }
    return matching >= step.b && (step.c == .nothing || matching <= step.c)
  }

  func uncoveredElements(_ unit: UInt32, _ array: Int) -> Bool {
    let count = records[array].count
    guard take(count) else { return false }
    var index = array + 1
    for position in 0..<count {
      if !isMarked(position), !fits(unit, index) { return false }
      mark(position)
      index = Int(records[index].next)
    }
    return true
  }

  func uncoveredMembers(_ unit: UInt32, _ object: Int) -> Bool {
    let count = records[object].count
    guard take(count) else { return false }
    var index = object + 1
    for position in 0..<count {
      if !isMarked(position), !fits(unit, index + 1) { return false }
      // Looked at now, for another `unevaluated…` around this one.
      mark(position)
      index = Int(records[index + 1].next)
    }
    return true
  }
}
