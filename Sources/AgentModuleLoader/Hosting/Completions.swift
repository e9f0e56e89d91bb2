import CAgentModule
import Synchronization

/// The completions that C holds, by number. A module that calls one a second time finds nothing,
/// where a pointer would lead into freed memory.
enum Completions {
  typealias Handler = @Sendable (ModuleStatus, [UInt8]) -> Void

  private struct Table {
    var handlers: [UInt: Handler] = [:]
    var last: UInt = 0
  }

  private static let table = Mutex(Table())

  /// A completion for C that runs `handler` once.
  static func make(_ handler: @escaping Handler) -> agent_completion {
    agent_completion(ctx: UnsafeMutableRawPointer(bitPattern: add(handler))) {
      ctx, status, result in
      Completions.take(ctx)?(ModuleStatus(module: status), result.copy)
    }
  }

  /// Takes a completion back that C didn't take.
  static func withdraw(_ completion: agent_completion) {
    _ = take(completion.ctx)
  }

  private static func add(_ handler: @escaping Handler) -> UInt {
    table.withLock { table in
      repeat {
        table.last = table.last == .max ? 1 : table.last + 1
      } while table.handlers[
        table.last] != nil
      table.handlers[table.last] = handler
      return table.last
    }
  }

  private static func take(_ ctx: UnsafeMutableRawPointer?) -> Handler? {
    table.withLock { $0.handlers.removeValue(forKey: UInt(bitPattern: ctx)) }
  }
}
