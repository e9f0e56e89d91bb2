import AgentJSON

/// What `unevaluated…` asks: which members or elements of a value its schemas looked at. A bit
/// each, from `firstMark` on; what a schema marks before it turns out not to fit is taken back.
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

  /// Runs a body that may fail without the value failing.
  func probe(_ body: UInt32, _ index: Int) -> Bool {
    let count = words(index)
    let copy = marks.count
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

  /// All branches are gone through: each that fits counts.
  func coverAnyOf(_ list: UInt32, _ index: Int) -> Bool {
    let first = Int(list) + 1
    var fits = false
    for place in first..<first + Int(memory.lists[Int(list)])
    where probe(memory.lists[place], index) { fits = true }
    return fits
  }

  func coverOneOf(_ list: UInt32, _ index: Int) -> Bool {
    let first = Int(list) + 1
    var fitting = 0
    for place in first..<first + Int(memory.lists[Int(list)])
    where probe(memory.lists[place], index) {
      fitting += 1
      if fitting == 2 { return false }
    }
    return fitting == 1
  }

  func coverElements(_ step: FastInstruction, _ array: Int) -> Bool {
    let count = records[array].count
    let leading = step.b == .nothing ? min(Int(memory.lists[Int(step.a)]), count) : count
    for position in 0..<leading { mark(position) }
    return elements(step, array)
  }

  func coverContained(_ step: FastInstruction, _ array: Int) -> Bool {
    let count = records[array].count
    guard take(count) else { return false }
    var fitting: UInt32 = 0
    var index = array + 1
    for position in 0..<count {
      if fits(step.a, index) {
        fitting += 1
        mark(position)
      }
      index = Int(records[index].next)
    }
    return fitting >= step.b && (step.c == .nothing || fitting <= step.c)
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
      mark(position)
      index = Int(records[index + 1].next)
    }
    return true
  }
}
