internal import AgentAssignment
internal import AgentJSON
internal import AgentStore
internal import AgentTasks
internal import Synchronization

/// Sends offers to the webhooks of bots.
///
/// The database alone decides what must be sent. An offer without an answer is sent again after a
/// restart of the host, with the same id.
extension TaskDispatcher {
  // In milliseconds. The pause doubles after each failure.
  private static let firstPause: Int64 = 1_000
  private static let longestPause: Int64 = 60_000

  /// Sends an offer to a bot's webhook, and retries until the bot answers or loses the offer. Does
  /// nothing for a bot without a webhook.
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

  /// Sends one offer until it is answered. Ends when the task is cancelled.
  private func deliver(
    _ row: AssignmentRow, to webhook: BotWebhook, by call: BotCall.Sender
  ) async {
    var wait = Self.firstPause
    while !Task.isCancelled {
      do {
        // Read at each attempt: the offer may have been answered or withdrawn meanwhile.
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
        // Half of the pause is random, so that bots that failed together aren't called together
        // again.
        let chosen = wait / 2 + Int64.random(in: 0...wait / 2)
        // The receiver's wish counts up to the longest pause: it must not delay its tasks for days.
        let rest = max(chosen, min(failure.retryAfter ?? 0, Self.longestPause))
        wait = min(wait * 2, Self.longestPause)
        try? await pause(.milliseconds(rest))
      } catch {
        // The offer is no longer the bot's, or its answer is invalid. No caller waits for this
        // error.
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

  /// Applies the body of a response. An empty body changes nothing; otherwise the members are those
  /// of a request.
  private func take(_ answer: JSONValue, for row: AssignmentRow) async throws {
    guard let body = answer.object else { return }
    let status = body["status"]?.string
    // The host called the bot's registered address, so that the response counts as the bot's own.
    let local = TaskAuthority.bot(row.bot, as: row.bot)
    if status == "rejected" {
      _ = try await reject(row.id, reason: body["reason"]?.string ?? "", by: local)
      return
    }
    let isEnd =
      status == "completed" || status == "failed" || body["result"] != nil
      || body["success"] != nil
    guard isEnd || status == "accepted" else { return }
    // The result without an acceptance implies the acceptance: the bot has run the task in the
    // call.
    _ = try await accept(row.id, lease: body["lease_ms"]?.int.map(Int64.init), by: local)
    if isEnd { _ = try await complete(row.id, Ending(answer), by: local) }
  }

  /// Sets a bot to `error` because its offer can never be delivered. Its tasks are requeued.
  private func giveUp(_ row: AssignmentRow, _ message: String) async {
    log(.warning, "The bot \(row.bot) is in error: it can't be notified of its tasks. \(message)")
    do {
      _ = try await say(row.bot, .error, by: .unrestricted(as: nil))
    } catch {
      log(.warning, "\(error)")
    }
  }
}
