public import AgentJSON
public import AgentStore
public import AgentTasks

/// Answers to questions about assignments, as people and programs get them.
extension TaskDispatcher {
  /// A page of assignments: `{assignments, next}`, with `next` for `before` of the page that
  /// follows.
  /// - Parameter authority: who asks; of tasks that they don't see, what has come of them is left
  ///   out.
  public func page(
    _ selection: AssignmentSelection, for authority: TaskAuthority
  ) async throws -> JSONObject {
    let plan = tasks.plan
    let rows = try await readyStore().read { snapshot in
      try snapshot.assignments.assignments(selection).map { row in
        (row, try Self.report(row, in: snapshot, for: authority, plan: plan))
      }
    }
    var page: JSONObject = ["assignments": .array(rows.map { .object($0.1) })]
    if rows.count == selection.limit, let last = rows.last?.0 {
      page["next"] = .string("\(last.id)")
    }
    return page
  }

  /// One assignment.
  /// - Parameter authority: who asks; of a task that they don't see, what has come of it is left
  ///   out.
  /// - Throws: `missing`.
  public func report(
    of id: Int64, for authority: TaskAuthority
  ) async throws -> JSONObject {
    let (row, plan) = (try await assignment(id), tasks.plan)
    return try await readyStore().read { try Self.report(row, in: $0, for: authority, plan: plan) }
  }

  private static func report(
    _ row: AssignmentRow, in snapshot: any StoreSnapshot, for authority: TaskAuthority,
    plan: TaskPlan
  ) throws -> JSONObject {
    let report = AssignmentReport(row)
    guard authority.isConfined else { return report.json }
    let isSeen = try snapshot.tasks.task(row.task).map { authority.sees($0, plan) } ?? false
    return isSeen ? report.json : report.outline
  }
}
