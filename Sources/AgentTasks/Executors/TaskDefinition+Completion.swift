extension TaskDefinition {
  /// Fills in missing members from the type, then from the plan.
  mutating func complete(by type: TaskType, _ plan: TaskPlan) {
    if !saysRetry, retry == TaskRetry() { retry = type.retry ?? plan.retry }
    for path in [\TaskTimeouts.queued, \.run, \.total, \.heartbeat] {
      timeouts[keyPath: path] =
        timeouts[keyPath: path] ?? type.timeouts[keyPath: path] ?? plan.timeouts[keyPath: path]
    }
    // With a key, the limit is that of the key. The limit of the type applies only without a key.
    if concurrencyKey == nil, concurrencyLimit == nil { concurrencyLimit = type.maxAtOnce }
  }
}
