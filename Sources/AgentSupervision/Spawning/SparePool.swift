/// Processes that were started in advance and wait for a child, by spare key.
struct SparePool {
  /// One waiting process.
  struct Spare {
    let id: UInt64
    let process: SpawnedProcess
    let watch: LoopRegistration
  }

  /// The spares of one key and their command.
  struct Pool {
    let command: ChildCommand
    let descriptors: ChildDescriptors
    var idle: [Spare] = []
    /// The number of spares in a row that died before they were used.
    var deaths = 0
    var isRefillPlanned = false

    func fits(_ spec: ChildSpec) -> Bool {
      command == spec.command && descriptors == spec.descriptors
    }
  }

  /// A process that becomes a spare once its program is loaded.
  struct Loading {
    let key: String
    let spawn: SpawnUnderWay
  }

  let wanted: Int
  private(set) var pools: [String: Pool] = [:]
  private var loading: [UInt64: Loading] = [:]
  /// Spares that were killed and haven't ended yet.
  private var dying: [UInt64: Spare] = [:]

  init(wanted: Int) {
    self.wanted = wanted
  }

  var isEmpty: Bool {
    dying.isEmpty && loading.isEmpty && pools.values.allSatisfy(\.idle.isEmpty)
  }

  /// Takes a spare that fits a child's spec.
  mutating func take(for spec: ChildSpec) -> Spare? {
    guard let key = spec.spareKey, let pool = pools[key], pool.fits(spec) else { return nil }
    return pools[key]?.idle.popLast()
  }

  /// Plans a refill. Returns its key and the number of deaths, or `nil` if none is needed. The
  /// first spec of a key decides the command of its spares.
  mutating func planRefill(for spec: ChildSpec) -> (key: String, deaths: Int)? {
    guard let key = spec.spareKey else { return nil }
    var pool = pools[key] ?? Pool(command: spec.command, descriptors: spec.descriptors)
    defer { pools[key] = pool }
    guard !pool.isRefillPlanned, count(key) < wanted else { return nil }
    pool.isRefillPlanned = true
    return (key, pool.deaths)
  }

  /// Returns the pool of a planned refill. `nil` means that no spare is missing.
  mutating func beginRefill(_ key: String) -> Pool? {
    pools[key]?.isRefillPlanned = false
    guard let pool = pools[key], count(key) < wanted else { return nil }
    return pool
  }

  /// The number of spares of a key, those included that are being loaded.
  private func count(_ key: String) -> Int {
    (pools[key]?.idle.count ?? 0) + loading.values.count { $0.key == key }
  }

  mutating func add(_ id: UInt64, loading spare: Loading) {
    loading[id] = spare
  }

  /// Returns a process that was being loaded, while it still is.
  func isLoading(_ id: UInt64) -> Loading? {
    loading[id].flatMap { $0.spawn.isLoading() ? $0 : nil }
  }

  /// Removes a process that was being loaded.
  mutating func removeLoading(_ id: UInt64) -> Loading? {
    loading.removeValue(forKey: id)
  }

  /// Whether a process that was being loaded can be a spare. Meanwhile its pool may have got another
  /// command, or have been removed.
  func isUsable(_ loading: Loading) -> Bool {
    pools[loading.key]?.command == loading.spawn.command
  }

  /// The processes that are being loaded and that no child can use any more.
  var unusable: [SpawnedProcess] {
    loading.values.filter { !isUsable($0) }.map(\.spawn.process)
  }

  mutating func add(_ spare: Spare, to key: String) {
    pools[key]?.idle.append(spare)
  }

  mutating func noteDeath(_ key: String) {
    pools[key]?.deaths += 1
  }

  /// Records that a child uses a spare successfully, so the spares of this key work.
  mutating func noteSuccess(_ key: String) {
    pools[key]?.deaths = 0
  }

  /// Removes a spare that has died. Returns its key too if the supervisor hasn't killed it.
  mutating func remove(_ id: UInt64) -> (spare: Spare, key: String?)? {
    if let spare = dying.removeValue(forKey: id) { return (spare, nil) }
    for (key, pool) in pools {
      guard let index = pool.idle.firstIndex(where: { $0.id == id }) else { continue }
      pools[key]?.idle.remove(at: index)
      return (pool.idle[index], key)
    }
    return nil
  }

  /// Removes the pools that fit none of these specs, and returns the spares to kill.
  mutating func drop(unusedBy specs: [ChildSpec]) -> [Spare] {
    let unused = pools.filter { key, pool in
      !specs.contains { $0.spareKey == key && pool.fits($0) }
    }
    let spares = unused.values.flatMap(\.idle)
    for key in unused.keys { pools[key] = nil }
    for spare in spares { dying[spare.id] = spare }
    return spares
  }
}
