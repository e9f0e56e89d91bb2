internal import ArgumentParser
internal import Scaffolding

/// The command line of Bulkhead.
@main
struct Agent: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "agent",
    abstract: "Run an agent: a folder with settings.json and modules/.",
    discussion: """
      Exit codes: 0 done, 1 it failed or the settings are wrong, 2 the command line is wrong, \
      3 the agent isn't running, 4 nothing has that name.

      Example: agent run
      """,
    version: Version.text,
    subcommands: [
      Run.self, Start.self, Stop.self, Restart.self, Status.self, Service.self, Validate.self,
      Reload.self, Process.self, Module.self, Logs.self, Build.self, Dev.self, Features.self,
      Ask.self, Backup.self, StoreVerbs.self, Metrics.self, DiagnosticsVerbs.self, DoctorVerb.self,
      EventVerbs.self,
      QueryVerb.self, StateVerbs.self, UserVerbs.self, TokenVerbs.self, AuditVerbs.self,
      AlertsVerbs.self, NotifyVerbs.self, TaskVerbs.self, ScheduleVerbs.self,
      BotVerbs.self, TaskBotVerbs.self, DemoVerbs.self,
      SchemaVerbs.self,
    ])

  static func main() async {
    do {
      var command = try parseAsRoot(TaskBotVerbs.words(ProgramWords.own))
      if var waiting = command as? any AsyncParsableCommand {
        try await waiting.run()
      } else {
        try command.run()
      }
    } catch let failure as Failure {
      Terminal.complain(failure.message)
      Terminal.leave(failure.exit)
    } catch {
      let code = exitCode(for: error)
      let message = HelpText.arranged(fullMessage(for: error))
      if code == .success {
        if !message.isEmpty { Terminal.print(message) }
        Terminal.leave(.success)
      }
      Terminal.complain(message)
      // The parser's own code for wrong usage is 64. The documented code is 2.
      Terminal.leave(code == .validationFailure ? .usage : .failure)
    }
  }
}
