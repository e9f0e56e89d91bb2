public import AgentJSON
public import AgentStore

/// Answers to questions about tasks, as people and programs get them.
extension TaskEngine {
  /// A task with its history and the files that it has left.
  public func report(
    of id: Int64, attempts: ReadableAttempts = .all
  ) async throws -> JSONObject {
    let report = TaskReport(try await task(id))
    var object = report.json(for: attempts)
    object["history"] = .array(report.history(for: attempts))
    object["artifacts"] = .array(try await artifacts(of: id, attempts: attempts).map(\.json))
    return object
  }

  /// A page of the newest tasks looks at this many, chosen or not, before the caller has to ask
  /// again: what a page costs doesn't depend on how many there are.
  static let maxLooked = 1_000

  /// The most tasks that are sorted, or searched from the oldest, for a page. A reader takes up to
  /// a microsecond for each.
  static let maxSorted = 10_000

  /// The bytes of the tasks' texts with which a page ends: a task may have megabytes.
  static let maxBytes = 8 << 20

  /// A page of tasks: `{tasks, next, before, offset}`, with `next` for the offset of the page that
  /// follows, or, of the newest, `before` and `offset` for those of it: it may come after a page
  /// that isn't full.
  /// - Parameter authority: who asks; what they may not see is left out, so that a page may have
  ///   fewer than the selection's limit.
  /// - Throws: `invalid` if the order asks for a look at more than ``maxSorted`` tasks.
  public func page(
    _ selection: TaskSelection, for authority: TaskAuthority
  ) async throws -> JSONObject {
    var selection = selection
    selection.look = Self.maxLooked + min(max(0, selection.offset), 10 * Self.maxLooked)
    selection.maxSorted = Self.maxSorted
    selection.maxBytes = Self.maxBytes
    let (found, plan) = (try await found(selection), plan)
    let seen = found.rows.filter { authority.sees($0, plan) }
    var page: JSONObject = ["tasks": .array(seen.map { .object(TaskReport($0).json) })]
    // By what was found: of a full page the caller may not see every task.
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

  /// A task once it has ended, or as it is after `milliseconds`.
  public func waited(for id: Int64, milliseconds: Int64) async throws -> TaskRow {
    do {
      return try await wait(for: id, milliseconds: milliseconds)
    } catch let error as TaskError where error.code == .timedOut {
      return try await task(id)
    }
  }

  /// The types of tasks there are, by name.
  public var types: [JSONValue] { plan.types.values.sorted { $0.name < $1.name }.map(\.json) }

  /// Why a task isn't done yet: `{id, status, reasons}`.
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
  /// As people and programs see it.
  public var json: JSONValue {
    [
      "number": JSONValue(number), "timestamp": JSONValue(timestamp),
      "attempt": JSONValue(attempt), "stream": .string(stream), "text": .string(text),
    ]
  }
}

extension TaskArtifact {
  /// It as people and programs see it.
  public var json: JSONValue {
    [
      "name": .string(name), "media_type": .string(mediaType), "size": JSONValue(size),
      "timestamp": JSONValue(timestamp),
    ]
  }
}
