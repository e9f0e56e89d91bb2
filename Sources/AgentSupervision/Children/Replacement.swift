/// A new generation of a child that is about to replace the old one.
struct Replacement {
  let child: SupervisedChild
  /// Whether the new generation starts its work at once, while the old one still stops.
  let overlaps: Bool
  let result: CheckedContinuation<Result<ChildStatus, SupervisionError>, Never>
  /// Due when the replacement exceeds its time.
  let deadline: LoopTimer
}
