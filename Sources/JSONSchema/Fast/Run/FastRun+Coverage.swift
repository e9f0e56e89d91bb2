import AgentJSON

/// The marks for `unevaluated…`: the members or elements of a value that its schemas have
/// evaluated. Each has a bit, from `firstMark` on. The marks of a schema that doesn't match are
/// removed.
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
    // One array contains the marks of nested values, the innermost at its end. It needs no
    // allocation once it is long enough.
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

  /// Runs a body whose failure isn't one of the value. If it fails, its marks are removed.
  func probe(_ body: UInt32, _ index: Int) -> Bool {
    let count = words(index)
    let copy = marks.count
    // The copy is small: one bit for each member.
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

  /// Runs all branches, because each matching one sets marks.
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
      // The marks of both stay, but this step fails, and its caller removes them.
      if matching == 2 { return false }
    }
    return matching == 1
  }

  func coverElements(_ step: FastInstruction, _ array: Int) -> Bool {
    let count = records[array].count
    let leading = step.b == .nothing ? min(Int(memory.lists[Int(step.a)]), count) : count
    // Marked before they are checked: if one of them fails, the whole body fails and its marks are
    // removed.
    for position in 0..<leading { mark(position) }
    return elements(step, array)
  }

  func coverContained(_ step: FastInstruction, _ array: Int) -> Bool {
    let count = records[array].count
    guard take(count) else { return false }
    var matching: UInt32 = 0
    var index = array + 1
    // All are checked, however many match already, because each matching one is marked.
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
      // Marked now, for another `unevaluated…` around this one.
      mark(position)
      index = Int(records[index + 1].next)
    }
    return true
  }
}
