internal import AgentStore
internal import AgentSystem

extension ClockMark {
  /// By how many milliseconds the wall clock was set since a former mark, as far as that can be
  /// known.
  ///
  /// Rationale: while the machine runs, the steady clock says how much time has passed. After a
  /// restart of the machine the time off is unknown. A wall clock that shows less than before was
  /// set back by the difference at least.
  func jump(since former: ClockMark) -> Int64 {
    let passed = wall.subtracting(former.wall)
    guard boot == former.boot, steady >= former.steady else { return min(0, passed) }
    let jump = passed.subtracting(steady.subtracting(former.steady))
    let tolerance = ClockWatch.tolerance.wholeMilliseconds
    return jump < tolerance && jump > Int64(0).subtracting(tolerance) ? 0 : jump
  }

  /// This mark with the former difference between the two clocks. Small steps within the tolerance
  /// thus add up until they count as a jump.
  func keeping(_ former: ClockMark) -> ClockMark {
    guard boot == former.boot, steady >= former.steady else { return self }
    var mark = self
    mark.steady = former.steady.adding(wall.subtracting(former.wall))
    return mark
  }
}
