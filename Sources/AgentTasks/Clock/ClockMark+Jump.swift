internal import AgentStore
internal import AgentSystem

extension ClockMark {
  /// Returns by how many milliseconds the wall clock was set since a former mark, as far as that
  /// can be determined. Jumps within the tolerance count as 0.
  ///
  /// Rationale: while the machine runs, the steady clock measures the elapsed time. After a restart
  /// of the machine, the time between is unknown. Only a wall clock that shows less than before was
  /// certainly set back, by the difference at least.
  func jump(since former: ClockMark) -> Int64 {
    let passed = wall.subtracting(former.wall)
    // The steady clocks of two starts of the machine can't be compared.
    guard boot == former.boot, steady >= former.steady else { return min(0, passed) }
    let jump = passed.subtracting(steady.subtracting(former.steady))
    let tolerance = ClockWatch.tolerance.wholeMilliseconds
    return jump < tolerance && jump > Int64(0).subtracting(tolerance) ? 0 : jump
  }

  /// Returns this mark with the former difference between the two clocks. Therefore, small steps
  /// within the tolerance add up until they count as a jump.
  func keeping(_ former: ClockMark) -> ClockMark {
    guard boot == former.boot, steady >= former.steady else { return self }
    var mark = self
    mark.steady = former.steady.adding(wall.subtracting(former.wall))
    return mark
  }
}
