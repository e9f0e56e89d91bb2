import AgentStore
import AgentTasks
import Testing

/// Which state may follow which: what docs/tasks.md draws.
@Suite struct TaskStateTests {
  @Test func `the transitions equal the diagram's`() {
    #expect(documentedTransitions.count == TaskState.allCases.count)
    for state in TaskState.allCases {
      #expect(state.successors == documentedTransitions[state], "after \(state)")
    }
  }

  @Test func `the task service's names and our own are read`() {
    #expect(TaskState(name: "waiting_execution") == .waiting)
    #expect(TaskState(name: "waiting") == .waiting)
    #expect(TaskState(name: "completed") == .succeeded)
    #expect(TaskState(name: "nothing") == nil)
    #expect(Set(TaskState.allCases.map(\.serviceName)).count == TaskState.allCases.count)
  }

  @Test func `a priority has the name of the greatest level that it reaches`() {
    #expect(TaskPriority.number(named: "critical") == 1000)
    #expect(TaskPriority.number(named: "urgent") == nil)
    #expect(TaskPriority.name(of: 749) == "normal")
    #expect(TaskPriority.name(of: 0) == "low")
  }

  @Test func `waits between attempts grow to the maximum, less the jitter`() {
    var retry = TaskRetry()
    retry.attempts = 5
    retry.initial = 100
    retry.factor = 3
    retry.most = 1_000
    #expect(
      (1...5).map { retry.wait(after: $0, randomFraction: 0) } == [100, 300, 900, 1_000, nil])
    #expect(retry.wait(after: 1, randomFraction: 1) == 50)
    retry.attempts = .max
    #expect(retry.wait(after: .max - 1, randomFraction: 0) == 1_000)
  }
}
