public import AgentJSON
public import AgentStore

/// Returns the representations of tasks for people and programs.
extension TaskEngine {
  /// Returns a task with its history and its artifacts.
  public func report(
    of id: Int64, attempts: ReadableAttempts = .all
  ) async throws -> JSONObject {
    let report = TaskReport(try await task(id))
    var object = report.json(for: attempts)
    object["history"] = .array(report.history(for: attempts))
    object["artifacts"] = .array(try await artifacts(of: id, attempts: attempts).map(\.json))
    return object
  }

  /// The number of tasks that are examined for a page of the newest tasks, whether they match or
  /// not. The caller then requests the next page. Therefore, the cost of a page doesn't depend on
  /// the number of tasks.
  static let maxLooked = 1_000

  /// The largest number of tasks that are sorted, or searched from the oldest, for a page. Each
  /// takes up to a microsecond.
  static let maxSorted = 10_000

  /// The total size of the tasks' texts at which a page ends, in bytes, because a task may have
  /// megabytes.
  static let maxBytes = 8 << 20

  /// Returns a page of tasks: `{tasks, next, before, offset}`. `next` is the offset of the next
  /// page. For the newest tasks, `before` and `offset` are the parameters of the next page, which
  /// may exist even if this page isn't full.
  /// - Parameter authority: the caller. Tasks that it may not see are omitted, so a page may have
  ///   fewer tasks than the selection's limit.
  /// - Throws: `invalid` if the order would need more than ``maxSorted`` tasks.
  public func page(
    _ selection: TaskSelection, for authority: TaskAuthority
  ) async throws -> JSONObject {
    var selection = selection
    // Skipped tasks are examined too, so a page with an offset may examine more.
    selection.look = Self.maxLooked + min(max(0, selection.offset), 10 * Self.maxLooked)
    selection.maxSorted = Self.maxSorted
    selection.maxBytes = Self.maxBytes
    let (found, plan) = (try await found(selection), plan)
    let seen = found.rows.filter { authority.sees($0, plan) }
    var page: JSONObject = ["tasks": .array(seen.map { .object(TaskReport($0).json) })]
    // Decided by the found rows, because the caller may not see every task of a full page.
    if found.rows.count == selection.limit || found.isCut {
      page["next"] = JSONValue(selection.offset + found.rows.count)
    }
    page["before"] = found.before.map { .string("\($0)") }
    if found.offset > 0, found.before != nil { page["offset"] = JSONValue(found.offset) }
    return page
  }

  private func found(_ selection: TaskSelection) async throws -> TaskPage {
    do {
      return try await readableStore().read { try $0.tasks.page(selection) }
    } catch let error as StoreError where error.code == .invalid {
      throw TaskError(.invalid, error.message)
    }
  }

  /// Waits until a task has ended or `milliseconds` have passed. Returns its current row.
  public func waited(for id: Int64, milliseconds: Int64) async throws -> TaskRow {
    do {
      return try await wait(for: id, milliseconds: milliseconds)
    } catch let error as TaskError where error.code == .timedOut {
      // A time-out isn't an error here, because the caller also accepts an unfinished task.
      return try await task(id)
    }
  }

  /// The task types, sorted by name.
  public var types: [JSONValue] { plan.types.values.sorted { $0.name < $1.name }.map(\.json) }

  /// Returns why a task hasn't ended: `{id, status, reasons}`.
  public func explanation(of id: Int64) async throws -> JSONObject {
    let row = try await task(id)
    return [
      "id": .string("\(row.id)"), "status": .string(row.state.rawValue),
      "reasons": .array(explain(row).map { .string($0) }),
    ]
  }
}

extension TaskType {
  fileprivate var json: JSONValue {
    var object: JSONObject = [
      "name": .string(name), "description": .string(description), "source": .string(source),
      "done_by": .string(executor == nil ? "bots" : "host"),
    ]
    object["input"] = input
    return .object(object)
  }
}

extension TaskLogLine {
  /// The representation for people and programs.
  public var json: JSONValue {
    [
      "number": JSONValue(number), "timestamp": JSONValue(timestamp),
      "attempt": JSONValue(attempt), "stream": .string(stream), "text": .string(text),
    ]
  }
}

extension TaskArtifact {
  /// The representation for people and programs.
  public var json: JSONValue {
    [
      "name": .string(name), "media_type": .string(mediaType), "size": JSONValue(size),
      "timestamp": JSONValue(timestamp),
    ]
  }
}
