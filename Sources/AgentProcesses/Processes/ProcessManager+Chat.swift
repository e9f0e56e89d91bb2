package import AgentChat
internal import AgentModules
internal import AgentSettings
package import AgentWorkers

extension ProcessManager {
  /// Asks every enabled logic adapter at the same time and returns the answer with the highest
  /// confidence. Throws `conflict` when there is none.
  package func ask(_ statement: ChatStatement) async throws(HostError) -> ChatReply {
    let settings = settings
    let adapters = settings.modules.flatMap { module in
      module.enabledContributions.filter { $0.contribution.kind == .logicAdapter }.map {
        ModuleAdapter(
          processes: self, module: module.manifest.name, contribution: $0.contribution.name)
      }
    }
    let chat = Chat(timeout: .milliseconds(min(settings.supervision.invokeTimeoutMs, 10_000)))
    do {
      return try await chat.reply(to: statement, asking: adapters)
    } catch {
      throw HostError(.conflict, error.message)
    }
  }
}

/// A module's logic adapter, for the chat.
private struct ModuleAdapter: ChatAdapter {
  let processes: ProcessManager
  let module: String
  let contribution: String

  var name: String { "\(module)/\(contribution)" }

  func answer(_ statement: ChatStatement, timeout: Duration) async throws -> ChatAnswer? {
    do {
      let output = try await processes.invoke(
        module: module, kind: "logic_adapter", contribution: contribution, input: statement.json,
        timeout: timeout)
      return try ChatAnswer(adapterOutput: output)
    } catch let error as HostError {
      throw ChatError(
        code: error.code == .deadlineExceeded ? .timedOut : .adapterFailed, message: error.message)
    }
  }
}
