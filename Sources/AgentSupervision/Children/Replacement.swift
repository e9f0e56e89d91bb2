/// A new generation of a child, on its way to take the old one's place.
struct Replacement {
  let child: SupervisedChild
  /// Whether the new one starts its work at once, while the old one still stops.
  let overlaps: Bool
  let result: CheckedContinuation<Result<ChildStatus, SupervisionError>, Never>
  /// Due when the replacement takes longer than it may.
  let deadline: LoopTimer
}
