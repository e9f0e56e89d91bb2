/// Processes that were started in advance and wait for something to do, by spare key.
struct SparePool {
  /// One waiting process.
  struct Spare {
    let id: UInt64
    let process: SpawnedProcess
    let watch: LoopRegistration
  }

  /// The spares of one key and their settings.
  struct Pool {
    let command: ChildCommand
    let descriptors: ChildDescriptors
    var idle: [Spare] = []
    /// How many died in a row while they waited.
    var deaths = 0
    var isRefillPlanned = false

    func fits(_ spec: ChildSpec) -> Bool {
      command == spec.command && descriptors == spec.descriptors
    }
  }

  let wanted: Int
  private(set) var pools: [String: Pool] = [:]
  /// Killed, and not yet gone.
  private var dying: [UInt64: Spare] = [:]

  init(wanted: Int) {
    self.wanted = wanted
  }

  var isEmpty: Bool {
    dying.isEmpty && pools.values.allSatisfy(\.idle.isEmpty)
  }

  /// Takes a spare that a child of this spec can use.
  mutating func take(for spec: ChildSpec) -> Spare? {
    guard let key = spec.spareKey, let pool = pools[key], pool.fits(spec) else { return nil }
    return pools[key]?.idle.popLast()
  }

  /// Whether a refill must be planned, and after how many deaths; the first spec of a key decides
  /// what its spares run.
  mutating func planRefill(for spec: ChildSpec) -> (key: String, deaths: Int)? {
    guard let key = spec.spareKey else { return nil }
    var pool = pools[key] ?? Pool(command: spec.command, descriptors: spec.descriptors)
    defer { pools[key] = pool }
    guard !pool.isRefillPlanned, pool.idle.count < wanted else { return nil }
    pool.isRefillPlanned = true
    return (key, pool.deaths)
  }

  /// The pool of a planned refill; `nil` when no spare is missing.
  mutating func beginRefill(_ key: String) -> Pool? {
    pools[key]?.isRefillPlanned = false
    guard let pool = pools[key], pool.idle.count < wanted else { return nil }
    return pool
  }

  mutating func add(_ spare: Spare, to key: String) {
    pools[key]?.idle.append(spare)
  }

  mutating func noteDeath(_ key: String) {
    pools[key]?.deaths += 1
  }

  /// A replacement made use of a spare: spares of this key work.
  mutating func noteSuccess(_ key: String) {
    pools[key]?.deaths = 0
  }

  /// Removes a spare that has died; the key of one that nobody had killed.
  mutating func remove(_ id: UInt64) -> (spare: Spare, key: String?)? {
    if let spare = dying.removeValue(forKey: id) { return (spare, nil) }
    for (key, pool) in pools {
      guard let index = pool.idle.firstIndex(where: { $0.id == id }) else { continue }
      pools[key]?.idle.remove(at: index)
      return (pool.idle[index], key)
    }
    return nil
  }

  /// Removes the pools that none of these specs can use, and returns the spares to kill.
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
