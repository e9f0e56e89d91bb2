internal import AgentAssignment
internal import AgentStore
internal import AgentSystem
internal import AgentTasks
internal import Synchronization

/// Sets bots offline whose workers have ended, and requeues the tasks of lost bots. A change that
/// can't be stored is kept and tried again, in order.
extension TaskDispatcher {
  /// Sets a bot offline whose worker has ended. If that can't be stored, the loop tries again until
  /// it is. Nothing else would: the bot may send no heartbeats that could stop.
  /// - Parameter isMeant: whether no other worker has claimed the bot. It runs on the writer's
  ///   thread, just before the status is stored.
  public func workerEnded(
    of bot: String, while isMeant: @escaping @Sendable () -> Bool
  ) async {
    let (number, owner) = state.withLock { ($0.nextNumber(), $0.records[bot]?.owner) }
    await carryOut(BotDeparture(bot: bot, number: number, owner: owner, isMeant: isMeant))
  }

  private func carryOut(_ departure: BotDeparture) async {
    let (bot, owner) = (departure.bot, departure.owner)
    let moment = now()
    do {
      try await change(
        bot, while: departure.isMeant,
        stored: { row in
          if row.owner == owner { row.lifecycle = BotStateMachine.said(.offline).stored }
        }
      ) { state in
        guard state.records[bot]?.owner == owner else { return [] }
        return state.roster.apply(.said(.offline), to: bot, at: moment)
      }
      end(departure)
    } catch is TaskError {
      // The bot was unregistered, or the host ends. The next start sets it offline.
      end(departure)
    } catch {
      // Logged once: the log may be on the same full disk.
      if !departure.isTriedAgain {
        log(
          .warning,
          "It can't be stored that the bot \(bot) is offline, whose worker has ended; the host "
            + "retries. \(error)")
      }
      var again = departure
      again.isTriedAgain = true
      state.withLock { [again] state in
        // A later departure replaces this one.
        if let kept = state.departures[bot], kept.number > again.number { return }
        state.departures[bot] = again
      }
      wakeTimer.ring(at: now().adding(1_000), now: now())
    }
  }

  private func end(_ departure: BotDeparture) {
    state.withLock { state in
      // A later departure of the same bot may have replaced this one.
      if let kept = state.departures[departure.bot], kept.number <= departure.number {
        state.departures[departure.bot] = nil
      }
    }
  }

  /// Tries again to set bots offline whose workers have ended.
  func retryDepartures() async {
    for departure in state.withLock({ Array($0.departures.values) }) { await carryOut(departure) }
  }

  /// Requeues the tasks that a bot has. If that can't be stored, the loop tries again until it is.
  func release(_ bot: String, note: String) async {
    await carryOut(pendingRelease(of: bot, note: note))
  }

  /// Returns the release of the tasks that a bot has now. Tasks that it gets later aren't part of
  /// it.
  func pendingRelease(of bot: String, note: String) -> PendingRelease {
    let (maxLost, number) = state.withLock { state in
      // The same limit as in `requeue`. Either of them may be the first to requeue a task whose
      // worker has ended.
      (state.local[bot] == nil ? .max : Self.maxLosses, state.nextNumber())
    }
    let release = BotRelease(bot: bot, note: note, maxLost: maxLost) { [weak self] row in
      self?.isNewer(row, of: bot, than: number) ?? false
    }
    return PendingRelease(release: release, number: number)
  }

  /// Stores a release. After a failure, the loop tries again each second. Nothing else would
  /// requeue the tasks: a bot may have a task without any limit of its silence.
  /// - Returns: false if the database takes no writes now.
  @discardableResult
  func carryOut(_ release: PendingRelease) async -> Bool {
    do {
      try await tasks.release(release.release)
      state.withLock { state in
        // A later release of the same bot may have replaced this one.
        if let kept = state.releases[release.bot], kept.number <= release.number {
          state.releases[release.bot] = nil
        }
      }
      return true
    } catch {
      // Logged once: the log may be on the same full disk.
      if !release.isTriedAgain {
        log(
          .warning, "The tasks of \(release.bot) can't be requeued now; the host retries. \(error)")
      }
      var again = release
      again.isTriedAgain = true
      state.withLock { [again] state in
        // A later release requeues the tasks of this one, too.
        if let kept = state.releases[again.bot], kept.number > again.number { return }
        state.releases[again.bot] = again
      }
      wakeTimer.ring(at: now().adding(1_000), now: now())
      return (error as? StoreError)?.mayPass != true
    }
  }

  /// Tries again what couldn't be stored, in the order in which the bots were lost.
  func retryReleases() async {
    let releases = state.withLock { $0.releases.values.sorted { $0.number < $1.number } }
    // After a refused one the others wait. Otherwise they could be stored before it.
    for release in releases where await !carryOut(release) { break }
  }

  /// Whether a bot got a task after a release was decided. Called on the writer's thread: every
  /// reservation whose assignment is stored is in memory by then.
  /// - Parameter number: the number of the release.
  private func isNewer(_ row: TaskRow, of bot: String, than number: Int64) -> Bool {
    let key = DispatcherState.Key(task: row.id, attempt: row.attempt)
    return state.withLock { state in
      state.held[key].map { $0.bot == bot && $0.number > number } ?? false
    }
  }
}

// MARK: Bots that were lost before the start

extension DispatcherState {
  /// Returns the next number of a reservation or a release.
  mutating func nextNumber() -> Int64 {
    lastNumber = lastNumber.adding(1)
    return lastNumber
  }

  /// Removes and returns the bots that were lost before the start and whose tasks must be requeued:
  /// they have sent no heartbeat since.
  /// - Parameter moment: in Unix milliseconds.
  mutating func takeUnheard(at moment: Int64) -> [String] {
    let decided = unheard.filter { id in
      guard let bot = roster[id], bot.lifecycle.isLost else { return true }
      return bot.isSilent(at: moment, after: plan.heartbeatTimeout)
    }
    unheard.subtract(decided)
    return decided.filter { roster[$0]?.lifecycle.isLost ?? false }.sorted()
  }
}
