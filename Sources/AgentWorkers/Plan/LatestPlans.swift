internal import Synchronization

/// The latest plan of each module: of hundreds of workers of a module most are alike, and the next
/// one's plan shares the memory of what it has in common with the one before.
final class LatestPlans: Sendable {
  private let plans = Mutex<[String: WorkerPlanner.Planned]>([:])

  /// Makes a plan, given the one before, and remembers it.
  func next(
    of module: String, _ make: (WorkerPlanner.Planned?) -> WorkerPlanner.Planned
  ) -> WorkerPlanner.Planned {
    plans.withLock { plans in
      // Under the lock, so that the next plan finds this one to share with.
      let planned = make(plans[module])
      plans[module] = planned
      return planned
    }
  }
}
