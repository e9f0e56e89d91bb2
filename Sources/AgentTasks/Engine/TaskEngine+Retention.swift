internal import AgentStore
internal import AgentSystem
internal import Synchronization

/// Removes ended tasks and their artifacts: by age, and by bytes.
extension TaskEngine {
  private static let maxAtOnce = 500
  /// The number of tasks or artifacts in a step that removes what exceeds a limit of bytes.
  private static let maxExcessAtOnce = 100
  /// Above this percentage of a limit of bytes the oldest are removed.
  private static let high: Int64 = 90
  /// They are removed down to this percentage, so that the next round doesn't begin at once.
  private static let low: Int64 = 85

  /// Removes old tasks every ten minutes, and artifacts without a task once at the start.
  func runRetention(_ store: any Store) async {
    await sweepArtifacts(store)
    var failure = RepeatedFailure()
    while !Task.isCancelled {
      do {
        try await removeOld(store, before: now().subtracting(plan.keep))
        try await removeExcess(store)
        if failure.ends() { log(.info, "Old tasks are removed again.") }
      } catch is CancellationError {
        // The host ends.
      } catch  where failure.begins() {
        log(.warning, "Old tasks can't be removed; the host retries. \(error)")
      } catch {}
      try? await countDead(store)
      await forgetTypes(store)
      await keepClock(store)
      try? await pause(.seconds(600))
    }
  }

  /// Removes old tasks in the order of their numbers, one page at a time. It removes nothing for an
  /// hour after a jump of the clock, because the computed ages may be wrong.
  private func removeOld(_ store: any Store, before moment: Int64) async throws {
    var last: Int64 = 0
    while !Task.isCancelled, clock.isTrusted {
      let now = now()
      let removal = try await store.write(.freeing) { [last] in
        try $0.tasks.removeTasks(
          finishedBefore: moment, after: last, limit: Self.maxAtOnce, now: now)
      }
      // After the commit. If the host is killed in between, the next start removes the files.
      if !removal.removed.isEmpty { await artifactStore?.remove(removal.removed) }
      // A step that neither removes anything nor goes on would be repeated for ever.
      guard let next = removal.last, next > last || removal.hasProgress else { return }
      last = next
    }
  }

  /// Removes what exceeds the limits of bytes. It doesn't depend on the time, so that a clock that is
  /// wrong removes nothing more.
  private func removeExcess(_ store: any Store) async throws {
    let plan = plan
    let sizes = try await store.read { try $0.tasks.taskSizes() }
    if sizes.kept > Self.share(Self.high, of: plan.maxEndedBytes) {
      log(
        .info,
        "Ended tasks and logs have \(sizes.kept) bytes, and may have \(plan.maxEndedBytes) "
          + "(tasks.max_ended_bytes). The tasks that ended first are removed.")
      try await removeOldest(store, downTo: Self.share(Self.low, of: plan.maxEndedBytes))
    }
    if sizes.artifacts > Self.share(Self.high, of: plan.maxArtifactBytes) {
      log(
        .info,
        "Artifacts have \(sizes.artifacts) bytes, and may have \(plan.maxArtifactBytes) "
          + "(tasks.max_artifact_bytes). Those of the oldest ended tasks are removed.")
      try await removeArtifacts(store, downTo: Self.share(Self.low, of: plan.maxArtifactBytes))
    }
    let left = try await store.read { try $0.tasks.taskSizes() }
    state.withLock { $0.sizes = left }
  }

  /// The bytes of ended tasks with their logs, and of artifacts, beside their limits. The values are
  /// those of the last check, which is made every ten minutes.
  package var storedBytes:
    (
      endedTasks: (bytes: Int64, max: Int64), artifacts: (bytes: Int64, max: Int64)
    )
  {
    state.withLock { state in
      let (sizes, plan) = (state.sizes, state.plan)
      return ((sizes.kept, plan.maxEndedBytes), (sizes.artifacts, plan.maxArtifactBytes))
    }
  }

  private static func share(_ percent: Int64, of limit: Int64) -> Int64 {
    (limit / 100).multiplied(percent)
  }

  /// Removes the tasks that ended first, in steps, until what is kept has few enough bytes.
  private func removeOldest(_ store: any Store, downTo bytes: Int64) async throws {
    while !Task.isCancelled {
      let removal = try await store.write(.freeing) { transaction -> TaskRemoval? in
        guard try transaction.tasks.taskSizes().kept > bytes else { return nil }
        return try transaction.tasks.removeOldestEnded(limit: Self.maxExcessAtOnce)
      }
      guard let removal, removal.hasProgress else { return }
      // After the commit. If the host is killed in between, the next start removes the files.
      await artifactStore?.remove(removal.removed)
    }
  }

  /// Removes artifacts of ended tasks, in steps, until artifacts have few enough bytes.
  private func removeArtifacts(_ store: any Store, downTo bytes: Int64) async throws {
    while !Task.isCancelled {
      let found = try await store.read {
        try $0.tasks.artifactsOfEndedTasks(limit: Self.maxExcessAtOnce)
      }
      let removed = try await store.write(.freeing) { transaction in
        var removed: [TaskArtifact] = []
        for artifact in found where try transaction.tasks.taskSizes().artifacts > bytes {
          // The task may have been executed again since, and may have left another file.
          guard try transaction.tasks.task(artifact.task)?.state.isEnded == true,
            try transaction.tasks.artifacts(of: artifact.task).contains(artifact)
          else { continue }
          try transaction.tasks.removeArtifact(artifact.name, of: artifact.task)
          removed.append(artifact)
        }
        return removed
      }
      if removed.isEmpty { return }
      for artifact in removed { await artifactStore?.remove(artifact) }
    }
  }
}

extension TaskSizes {
  /// The bytes of ended tasks and of all logs.
  var kept: Int64 { ended.adding(logs) }
}
