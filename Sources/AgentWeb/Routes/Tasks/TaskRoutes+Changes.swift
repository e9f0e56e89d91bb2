internal import AgentAccess
internal import AgentJSON
internal import AgentHost
internal import AgentStore
internal import AgentTasks
internal import HTTPTypes
internal import Hummingbird

/// Routes that change tasks.
extension TaskRoutes {
  // MARK: Creating and changing

  var creating: [APIRoute] {
    [
      APIRoute(
        .post, "tasks", operation: "create_task",
        summary: "Creates a task. It waits until it is executed.",
        tag: .tasks, for: .operate, body: .json(.newTask),
        replies: [
          .json(.created, .task), .ok(.task, "A task with this \"unique\" value exists already."),
        ], options: .repeatable
      ) { [host] call in
        try await Self.answer {
          let creation = try await host.tasks.create(TaskDraft(call.body), by: call.authority)
          return Response(
            .object(TaskReport(creation.task).json), status: creation.existed ? .ok : .created)
        }
      },
      APIRoute(
        .post, "task-batches", operation: "create_task_batch",
        summary: "Creates many tasks as one batch: all or none.",
        tag: .tasks, for: .operate, body: .json(.newBatch),
        replies: [.json(.created, .createdBatch)], options: .repeatable
      ) { [host] call in
        let drafts = (call.body["tasks"]?.array ?? []).map { TaskDraft($0) }
        return try await Self.answer {
          let (batch, creations) = try await host.tasks.create(
            drafts, batch: call.body["name"]?.string ?? "", by: call.authority)
          return Response(
            [
              "batch": .string("\(batch ?? 0)"),
              "tasks": .array(creations.map { .string("\($0.task.id)") }),
            ], status: .created)
        }
      },
    ]
  }

  var editing: [APIRoute] {
    [
      APIRoute(
        .patch, "tasks/{id}", operation: "update_task", summary: "Changes a task.", tag: .tasks,
        for: .operate,
        parameters: [Self.id], body: .json(.taskEdit), replies: [.ok(.task)]
      ) { [host] call in
        try await Self.reply {
          let id = call.number("id")
          let authority = call.authority
          let edit = TaskEdit(call.body)
          let wish: TaskWish? =
            switch call.body["status"]?.string {
            case "queued": .execute
            case "cancelled": .cancel
            default: nil
            }
          let isChange = edit.changesSomething || wish != nil
          let row =
            isChange
            ? try await host.tasks.update(id, edit, then: wish, by: authority)
            : try await host.tasks.task(id)
          return .object(TaskReport(row).json)
        }
      },
      APIRoute(
        .delete, "tasks/{id}", operation: "delete_task",
        summary: "Deletes a task that isn't running.",
        tag: .tasks, for: .operate, parameters: [Self.id],
        replies: [.ok(.task, "The deleted task.")]
      ) { [host] call in
        try await Self.reply {
          .object(TaskReport(try await host.tasks.delete(call.number("id"))).json)
        }
      },
    ]
  }

  // MARK: Acting

  var acting: [APIRoute] {
    [
      APIRoute(
        .post, "tasks/{id}/execute", operation: "execute_task",
        summary: "Queues a task for execution, and waits for its result on request.", tag: .tasks,
        for: .operate, parameters: [Self.id], body: .json(.taskExecution, isOptional: true),
        replies: [.ok(.task)], options: [.slow, .repeatable]
      ) { [host] call in
        try await Self.reply {
          let (id, body) = (call.number("id"), call.body)
          var row = try await host.tasks.execute(
            id, data: body["data"], at: body["run_at"]?.int.map(Int64.init),
            by: call.authority)
          if let wait = body["wait_ms"]?.int {
            row = try await host.tasks.waited(for: id, milliseconds: Int64(wait))
          }
          return .object(TaskReport(row).json)
        }
      },
      APIRoute(
        .post, "tasks/{id}/cancel", operation: "cancel_task",
        summary: "Cancels a task. A running task is asked to stop.", tag: .tasks, for: .operate,
        parameters: [Self.id], body: .json(.taskCancellation, isOptional: true),
        replies: [.ok(.task)]
      ) { [host] call in
        try await Self.reply {
          let row = try await host.tasks.cancel(
            call.number("id"), isForced: call.body["force"]?.bool ?? false,
            note: call.body["note"]?.string, by: call.authority)
          return .object(TaskReport(row).json)
        }
      },
      act("retry", summary: "Retries a task that has ended without success.") {
        try await $0.retry($1, by: $2)
      },
      act("rerun", summary: "Creates a new task with the same definition.") {
        try await $0.rerun($1, by: $2)
      },
      APIRoute(
        .post, "task-retrials", operation: "retry_tasks",
        summary: "Retries all tasks that have ended without success; by default, dead ones.",
        tag: .tasks, for: .operate, body: .json(.taskRetrial, isOptional: true),
        replies: [.ok(.retried)]
      ) { [host] call in
        try await Self.reply {
          let names = call.body["status"]?.array?.compactMap(\.string) ?? ["dead"]
          let count = try await host.tasks.retryAll(
            type: call.body["type"]?.string, states: Set(names.compactMap(TaskState.init(name:))),
            by: call.authority)
          return ["retried": JSONValue(count)]
        }
      },
    ]
  }

  private func act(
    _ verb: String, summary: String,
    work: @escaping @Sendable (TaskEngine, Int64, TaskAuthority) async throws -> TaskRow
  ) -> APIRoute {
    APIRoute(
      .post, "tasks/{id}/\(verb)", operation: "\(verb)_task", summary: summary, tag: .tasks,
      for: .operate,
      parameters: [Self.id], replies: [.ok(.task)]
    ) { [host] call in
      try await Self.reply {
        let row = try await work(host.tasks, call.number("id"), call.authority)
        return .object(TaskReport(row).json)
      }
    }
  }
}
