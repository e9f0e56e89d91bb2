import CSupervision
import Glibc

/// Warm spares. A start uses one, and it is replaced when no child is starting.
extension Supervisor {
  private static let refillPause: Duration = .milliseconds(5)

  /// Returns a living spare for the child, with the child's limits set.
  func takeSpare(for spec: ChildSpec) -> SpawnedProcess? {
    while let spare = spares.take(for: spec) {
      loop.deregister(spare.watch)
      let files = spec.limits.files.map { UInt64(clamping: $0) } ?? 0
      let data = spec.limits.data.map { UInt64(clamping: $0) } ?? 0
      records?.remove(pid: spare.process.pid)
      if spare.process.isAlive, cs_limit(spare.process.pid, files, data) == 0 {
        return spare.process
      }
      end(spare)
    }
    return nil
  }

  /// Plans to refill the spares of a child's key. Called when a child of the key is ready or has
  /// failed. A spare is never started while a child starts, because it would slow that start down.
  func refillSpares(of child: SupervisedChild) {
    guard let key = child.spec.spareKey else { return }
    if child.worker?.isSpare == true { spares.noteSuccess(key) }
    planRefill(of: child.spec)
  }

  private func planRefill(of spec: ChildSpec) {
    guard !isShuttingDown, spares.wanted > 0, let key = spec.spareKey, !isSomeoneStarting(key),
      let plan = spares.planRefill(for: spec)
    else { return }
    planRefill(plan.key, deaths: plan.deaths)
  }

  /// Ends the spares that no child can use any more.
  func dropUnusedSpares() {
    let specs = isShuttingDown ? [] : members.values.map(\.spec).filter { $0.spareKey != nil }
    for spare in spares.drop(unusedBy: specs) { spare.process.signal(SIGKILL) }
    for process in spares.unusable { process.signal(SIGKILL) }
  }

  private func planRefill(_ key: String, deaths: Int) {
    // A key whose spares die gets a pause that doubles, so that a broken program doesn't fork
    // without end.
    let pause =
      deaths == 0
      ? Self.refillPause : min(.seconds(60), .milliseconds(100) * (1 << min(deaths, 10)))
    loop.schedule(after: pause) { [weak self] in
      self?.assumeIsolated { $0.refill(key) }
    }
  }

  private func isSomeoneStarting(_ key: String) -> Bool {
    members.values.contains { $0.spec.spareKey == key && $0.machine.state == .starting }
  }

  private func refill(_ key: String) {
    guard let pool = spares.beginRefill(key), !isShuttingDown, !isSomeoneStarting(key) else {
      return
    }
    do {
      // A spare has no limits yet. The child that uses it sets its own.
      let spawn = try spawner.begin(
        pool.command, descriptors: pool.descriptors, limits: ChildLimits())
      let id = nextNumber()
      spares.add(id, loading: .init(key: key, spawn: spawn))
      // Most are loaded at once. The loop doesn't wait for the others.
      _ = spawn.isLoading(after: SpawnUnderWay.patience)
      adoptWhenLoaded(id, pause: .milliseconds(1))
    } catch {
      spares.noteDeath(key)
      emit(.problem(message: "No spare for \(key): \(error.message)"), key)
      refillAgain(key)
    }
  }

  private func adoptWhenLoaded(_ id: UInt64, pause: Duration) {
    if spares.isLoading(id) != nil {
      loop.schedule(after: pause) { [weak self] in
        self?.assumeIsolated { $0.adoptWhenLoaded(id, pause: min(pause * 2, .seconds(1))) }
      }
      return
    }
    guard let loaded = spares.removeLoading(id) else { return }
    adopt(loaded)
    refillAgain(loaded.key)
    if isShuttingDown { checkShutdown() }
  }

  private func adopt(_ loaded: SparePool.Loading) {
    let (key, process) = (loaded.key, loaded.spawn.process)
    do {
      _ = try loaded.spawn.isLoaded(within: .zero)
    } catch {
      process.closeDescriptors()
      spares.noteDeath(key)
      return emit(.problem(message: "No spare for \(key): \(error.message)"), key)
    }
    guard !isShuttingDown, spares.isUsable(loaded) else {
      process.signal(SIGKILL)
      return reapSoon(process)
    }
    adopt(process, as: key)
  }

  private func refillAgain(_ key: String) {
    guard let child = members.values.first(where: { $0.spec.spareKey == key }) else { return }
    planRefill(of: child.spec)
  }

  private func adopt(_ process: SpawnedProcess, as key: String) {
    let id = nextNumber()
    let watch = loop.register(process.pidfd, for: .readable) { [weak self] _ in
      self?.assumeIsolated { $0.spareEnded(id) }
    }
    guard let watch else { return abandon(process, key) }
    spares.add(.init(id: id, process: process, watch: watch), to: key)
    records?.add(pid: process.pid, name: "spare:\(key)")
    emit(.spareStarted(pid: process.pid), key)
  }

  /// Ends a spare whose exit the loop can't report, and waits for its end in steps.
  private func abandon(_ process: SpawnedProcess, _ key: String) {
    spares.noteDeath(key)
    emit(.problem(message: "A spare of \(key) can't be watched and was ended."), key)
    process.signal(SIGKILL)
    reapSoon(process)
  }

  private func reapSoon(_ process: SpawnedProcess) {
    guard known.reaping(process.pid, process.reap) == nil else { return process.closeDescriptors() }
    loop.schedule(after: .milliseconds(10)) { [weak self] in
      self?.assumeIsolated { $0.reapSoon(process) }
    }
  }

  private func spareEnded(_ id: UInt64) {
    guard let (spare, key) = spares.remove(id) else { return }
    loop.deregister(spare.watch)
    records?.remove(pid: spare.process.pid)
    let status = end(spare)
    if let key, let status {
      spares.noteDeath(key)
      emit(.problem(message: "A spare of \(key) \(status) while it waited."), key)
      refillAgain(key)
    }
    if isShuttingDown { checkShutdown() }
  }

  @discardableResult
  private func end(_ spare: SparePool.Spare) -> ExitStatus? {
    spare.process.signal(SIGKILL)
    let status = known.reaping(spare.process.pid, spare.process.reap)
    spare.process.closeDescriptors()
    return status
  }
}
