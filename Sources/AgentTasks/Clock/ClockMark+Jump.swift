internal import AgentStore
internal import AgentSystem

extension ClockMark {
  /// How far the wall clock was set since a former mark, in milliseconds, as far as that can be known.
  ///
  /// Rationale: while the machine runs, the steady clock says how much time has passed. Once it was
  /// started again nobody knows how long it was off; that the clock shows less than it did before
  /// can't be, so that it was set by as much at least.
  func jump(since former: ClockMark) -> Int64 {
    let passed = wall.subtracting(former.wall)
    guard boot == former.boot, steady >= former.steady else { return min(0, passed) }
    let jump = passed.subtracting(steady.subtracting(former.steady))
    let tolerance = ClockWatch.tolerance.wholeMilliseconds
    return jump < tolerance && jump > Int64(0).subtracting(tolerance) ? 0 : jump
  }

  /// The same difference between the two clocks as before, at this moment: what is within the
  /// tolerance adds up until it isn't.
  func keeping(_ former: ClockMark) -> ClockMark {
    guard boot == former.boot, steady >= former.steady else { return self }
    var mark = self
    mark.steady = former.steady.adding(wall.subtracting(former.wall))
    return mark
  }
}
