import CAgentModule
import Synchronization

/// The completions that C code refers to by number. A second call with the same number has no
/// effect, whereas a second use of a pointer would access freed memory.
enum Completions {
  typealias Handler = @Sendable (ModuleStatus, [UInt8]) -> Void

  private struct Table {
    var handlers: [UInt: Handler] = [:]
    var last: UInt = 0
  }

  private static let table = Mutex(Table())

  /// Returns a completion for C that runs `handler` once.
  static func make(_ handler: @escaping Handler) -> agent_completion {
    agent_completion(ctx: UnsafeMutableRawPointer(bitPattern: add(handler))) {
      ctx, status, result in
      Completions.take(ctx)?(ModuleStatus(module: status), result.copy)
    }
  }

  /// Removes a completion that C code didn't accept.
  static func withdraw(_ completion: agent_completion) {
    _ = take(completion.ctx)
  }

  private static func add(_ handler: @escaping Handler) -> UInt {
    table.withLock { table in
      // 0 is left out, because it would be a null pointer. After an overflow, a number may still be
      // in use.
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
