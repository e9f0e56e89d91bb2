/// Replaces a child by a new generation without a gap.
extension Supervisor {
  /// Replaces a child by one with a new spec. It starts a second process beside the old one. When
  /// that is ready, it stops the old one. When the old one has stopped or its deadline has passed
  /// (with `overlaps` at once), the new one starts its work and this method returns.
  ///
  /// If the new process doesn't get ready, it is ended, the old one continues, and the error has
  /// the reason. A child without a process gets the new spec, and is started unless it was stopped.
  /// If the child is being stopped on request, the method waits for its stop first.
  ///
  /// The method returns within the time for the new process to get ready, the time for the old one
  /// to stop, and a grace period for processes that hang in the kernel.
  @discardableResult
  public func replace(
    _ name: String, with spec: ChildSpec, channel: WorkerChannelFactory? = nil,
    overlaps: Bool = false
  ) async throws(SupervisionError) -> ChildStatus {
    if try child(name).replacement == nil, try child(name).machine.isHeadedForStop {
      // The child was stopped on request and stays stopped. Its new spec is used at the next start.
      do {
        try await stop(name)
      } catch  where error.code == .overtaken {
        // A later request starts the child again. The new generation then replaces that one.
      }
    }
    if isShuttingDown { throw .shuttingDown }
    let old = try child(name)
    guard old.replacement == nil else {
      throw SupervisionError(.busy, "\(name) is being replaced already.")
    }
    let new = makeSuccessor(of: old, spec, channel ?? old.channelFactory)
    guard old.worker != nil else { return takePlaceOfIdle(old, new) }
    let (id, timeouts) = (old.id, old.spec.timeouts)
    let limit = spec.timeouts.ready + timeouts.stop + timeouts.terminate + Self.graceOfKernel
    return try await withCheckedContinuation { result in
      let deadline = loop.schedule(after: limit) { [weak self] in
        self?.assumeIsolated { $0.replacementOverdue(of: id) }
      }
      old.replacement = Replacement(
        child: new, overlaps: overlaps, result: result, deadline: deadline)
      new.predecessor = old
      receive(.startRequested, for: adopt(new))
    }.get()
  }

  private func replacementOverdue(of id: UInt64) {
    guard let old = members[id], let replacement = old.replacement else { return }
    end(replacement, of: old)
    receive(.stopRequested(deadline: nil), for: replacement.child)
    // The old child may have been asked to stop already, so it is started again.
    receive(.startRequested, for: old)
    let message = "The new process of \(old.name) wasn't ready in time; the old one stays."
    answer(replacement, .failure(SupervisionError(.replacementFailed, message)))
  }

  private func end(_ replacement: Replacement, of old: SupervisedChild) {
    old.replacement = nil
    replacement.child.predecessor = nil
  }

  private func answer(
    _ replacement: Replacement, _ answer: Result<ChildStatus, SupervisionError>
  ) {
    loop.cancel(replacement.deadline)
    replacement.result.resume(returning: answer)
  }

  private func makeSuccessor(
    of old: SupervisedChild, _ spec: ChildSpec, _ channel: @escaping WorkerChannelFactory
  ) -> SupervisedChild {
    var spec = spec
    spec.name = old.name
    let new = SupervisedChild(
      id: nextNumber(), spec: spec, channel: channel, configuration: configuration,
      startMode: old.worker == nil ? .atOnce : .held)
    new.machine.inherit(from: old.machine)
    return new
  }

  private func takePlaceOfIdle(_ old: SupervisedChild, _ new: SupervisedChild) -> ChildStatus {
    let wasStopped = old.machine.state == .stopped
    receive(.stopRequested(deadline: nil), for: old)
    members[old.id] = nil
    children[old.name] = adopt(new)
    moveWaiters(from: old, to: new)
    if !wasStopped { receive(.startRequested, for: new) }
    return new.status
  }

  /// Continues a replacement after each step of a child that takes part in it.
  func continueReplacement(of child: SupervisedChild) {
    if let old = child.predecessor {
      continueWithSuccessor(child, of: old)
    } else if let replacement = child.replacement {
      continueWithPredecessor(child, replacement)
    } else if children[child.name] !== child, child.machine.state == .stopped {
      members[child.id] = nil
    }
  }

  private func continueWithSuccessor(_ new: SupervisedChild, of old: SupervisedChild) {
    guard let replacement = old.replacement else { return }
    switch new.machine.state {
    case .running where replacement.overlaps:
      promote(new, over: old, replacement)
      receive(.stopRequested(deadline: nil), for: old)
    case .running:
      receive(.stopRequested(deadline: nil), for: old)
      continueWithPredecessor(old, replacement)
    case .failed(let reason):
      giveUp(replacement, of: old, "The new process of \(old.name) \(reason).")
    default:
      break
    }
  }

  private func continueWithPredecessor(_ old: SupervisedChild, _ replacement: Replacement) {
    guard case .running = replacement.child.machine.state else { return }
    switch old.machine.state {
    case .stopped, .stopping(.terminated), .stopping(.killed):
      promote(replacement.child, over: old, replacement)
    default:
      break
    }
  }

  private func promote(
    _ new: SupervisedChild, over old: SupervisedChild, _ replacement: Replacement
  ) {
    end(replacement, of: old)
    children[new.name] = new
    if old.machine.state == .stopped { members[old.id] = nil }
    moveWaiters(from: old, to: new)
    perform(new.machine.release(at: loop.now), for: new)
    new.wakeWaiters(on: loop)
    answer(replacement, .success(new.status))
    dropUnusedSpares()
  }

  private func moveWaiters(from old: SupervisedChild, to new: SupervisedChild) {
    new.waiters += old.waiters
    old.waiters = []
  }

  /// Ends a replacement whose new process failed. The old one continues, even if it was asked to
  /// stop.
  private func giveUp(_ replacement: Replacement, of old: SupervisedChild, _ message: String) {
    end(replacement, of: old)
    members[replacement.child.id] = nil
    receive(.startRequested, for: old)
    answer(replacement, .failure(SupervisionError(.replacementFailed, message)))
  }

  /// Ends a replacement because of a later request.
  func abandonReplacement(of old: SupervisedChild, _ why: String) {
    guard let replacement = old.replacement else { return }
    end(replacement, of: old)
    receive(.stopRequested(deadline: nil), for: replacement.child)
    let message = "\(old.name) wasn't replaced: meanwhile \(why)."
    answer(replacement, .failure(SupervisionError(.replacementFailed, message)))
  }
}

extension ChildMachine {
  /// Continues the counts of the previous generation.
  mutating func inherit(from old: ChildMachine) {
    restarts = old.restarts
    lastExit = old.lastExit
  }
}
