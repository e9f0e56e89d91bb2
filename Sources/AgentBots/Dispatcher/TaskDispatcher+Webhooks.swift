internal import AgentAssignment
internal import AgentJSON
internal import AgentStore
internal import AgentTasks
internal import Synchronization

/// Bots that get their offers through a webhook.
///
/// The database alone says what is offered and has to be sent. A bot that hasn't
/// answered when the host ends is called again at its next start, with the same id.
extension TaskDispatcher {
  private static let firstPause: Int64 = 1_000
  private static let longestPause: Int64 = 60_000

  /// Calls a bot's webhook with its offer until the bot answers, or loses the offer.
  func send(_ row: AssignmentRow) {
    let key = DispatcherState.Key(task: row.task, attempt: row.attempt)
    state.withLock { state in
      guard let webhook = state.roster[row.bot]?.definition.webhook, state.held[key] != nil,
        state.deliveries[key] == nil, !state.phase.isStopping, let call = state.plan.call
      else { return }
      state.deliveries[key] = Task {
        await deliver(row, to: webhook, by: call)
        self.state.withLock { $0.deliveries[key] = nil }
      }
    }
  }

  private func deliver(
    _ row: AssignmentRow, to webhook: BotWebhook, by call: BotCall.Sender
  ) async {
    var wait = Self.firstPause
    while !Task.isCancelled {
      do {
        // Read anew for each attempt: the offer may have been answered or withdrawn since.
        let work = try await readyStore().read { try Self.work(row.id, in: $0) }
        guard case .object(let offer)? = work?.json, offer["status"] == "pending" else { return }
        let answer = try await call(
          BotCall(webhook: webhook, id: "assignment-\(row.id)", offer: offer))
        return try await take(answer, for: row)
      } catch let failure as BotUnreached {
        if failure.isFinal { return await giveUp(row, failure.message) }
        if wait == Self.firstPause {
          log(
            .warning,
            "The bot \(row.bot) can't be notified of assignment \(row.id) now; the host "
              + "retries. \(failure.message)")
        }
        // Half of it is random, so that what failed together doesn't come back together.
        let chosen = wait / 2 + Int64.random(in: 0...wait / 2)
        let rest = max(chosen, min(failure.retryAfter ?? 0, Self.longestPause))
        wait = min(wait * 2, Self.longestPause)
        try? await pause(.milliseconds(rest))
      } catch {
        // It isn't its any more, or its answer doesn't fit, which is reported to nobody.
        if !Task.isCancelled {
          log(
            .warning,
            "The answer of the bot \(row.bot) to assignment \(row.id) was refused: "
              + "\(error)")
        }
        return
      }
    }
  }

  /// What the answer's body says: nothing, or what else would be said by a request.
  private func take(_ answer: JSONValue, for row: AssignmentRow) async throws {
    guard let body = answer.object else { return }
    let status = body["status"]?.string
    // It was called by its own address: what comes back is its word.
    let local = TaskAuthority.bot(row.bot, as: row.bot)
    if status == "rejected" {
      _ = try await reject(row.id, reason: body["reason"]?.string ?? "", by: local)
      return
    }
    let isEnd =
      status == "completed" || status == "failed" || body["result"] != nil
      || body["success"] != nil
    guard isEnd || status == "accepted" else { return }
    // An end without an acceptance is both: the receiver has done the task within the call.
    _ = try await accept(row.id, lease: body["lease_ms"]?.int.map(Int64.init), by: local)
    if isEnd { _ = try await complete(row.id, Ending(answer), by: local) }
  }

  /// The offer will never arrive: a person has to look at the bot, and others get its tasks.
  private func giveUp(_ row: AssignmentRow, _ message: String) async {
    log(.warning, "The bot \(row.bot) is in error: it can't be notified of its tasks. \(message)")
    do {
      _ = try await say(row.bot, .error, by: .unrestricted(as: nil))
    } catch {
      log(.warning, "\(error)")
    }
  }
}
