extension TaskDefinition {
  /// Fills in what the definition leaves open: from its type, then from the plan.
  mutating func complete(by type: TaskType, _ plan: TaskPlan) {
    if !saysRetry, retry == TaskRetry() { retry = type.retry ?? plan.retry }
    for path in [\TaskTimeouts.queued, \.run, \.total, \.heartbeat] {
      timeouts[keyPath: path] =
        timeouts[keyPath: path] ?? type.timeouts[keyPath: path] ?? plan.timeouts[keyPath: path]
    }
    // A task has one group: with a key, its limit is the key's and not the type's.
    if concurrencyKey == nil, concurrencyLimit == nil { concurrencyLimit = type.maxAtOnce }
  }
}
