internal import AgentStore

/// What the dispatcher knows of deliveries beside the database: which are being sent, and how each
/// notifier's last attempt ended.
struct DispatchState {
  /// The deliveries that are being sent.
  private(set) var sending: Set<Int64> = []
  /// Whether some deliveries may be marked as being sent although nobody sends them: after the start
  /// of the host, and after a claim that reported a fault and may be stored all the same.
  var needsReconciliation = true
  /// The number of notices that each notifier is sending, by its name.
  private var busy: [String: Int] = [:]
  /// Why the last attempt of a notifier has failed, by its name.
  private var failing: [String: String] = [:]

  /// The free slots of these notifiers; those without one are left out.
  func free(_ names: [String], _ plan: NotificationPlan) -> [(name: String, capacity: Int)] {
    names.compactMap { name in
      // A notifier that the settings don't have any more is asked once, which gives its notices up.
      let capacity = (plan.notifiers[name]?.concurrency ?? 1) - busy[name, default: 0]
      return capacity > 0 ? (name, capacity) : nil
    }
  }

  /// The notifiers that have no free slot.
  func full(_ plan: NotificationPlan) -> Set<String> {
    Set(busy.filter { $0.value >= plan.notifiers[$0.key]?.concurrency ?? 1 }.keys)
  }

  /// The notifiers of the plan whose last attempt has failed, and why.
  func troubles(_ plan: NotificationPlan) -> [(notifier: String, error: String)] {
    failing.filter { plan.notifiers[$0.key] != nil }.sorted { $0.key < $1.key }
      .map { ($0.key, $0.value) }
  }

  /// Takes slots for deliveries that were claimed.
  mutating func claimed(_ rows: [DeliveryRow]) {
    sending.formUnion(rows.map(\.id))
    for row in rows { busy[row.notifier, default: 0] += 1 }
  }

  /// Frees the slot of a delivery that isn't sent any more.
  mutating func ended(_ row: DeliveryRow) {
    guard sending.remove(row.id) != nil else { return }
    let left = busy[row.notifier, default: 1] - 1
    busy[row.notifier] = left > 0 ? left : nil
  }

  /// Keeps how an attempt ended.
  mutating func attempted(_ row: DeliveryRow) { failing[row.notifier] = row.error }
}
