internal import Synchronization

/// Keeps the latest plan of each module. A module may have hundreds of workers, and most of them
/// are alike. Therefore, each plan shares the memory of its equal parts with the plan before it.
final class LatestPlans: Sendable {
  private let plans = Mutex<[String: WorkerPlanner.Planned]>([:])

  /// Makes the next plan of a module, keeps it and returns it.
  /// - Parameter make: receives the plan before it. Nil means that it is the first plan of the
  ///   module.
  func next(
    of module: String, _ make: (WorkerPlanner.Planned?) -> WorkerPlanner.Planned
  ) -> WorkerPlanner.Planned {
    plans.withLock { plans in
      // The plan is made under the lock, so that the next plan can share parts with this one.
      let planned = make(plans[module])
      plans[module] = planned
      return planned
    }
  }
}
