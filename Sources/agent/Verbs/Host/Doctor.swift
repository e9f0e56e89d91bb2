internal import AgentBuild
internal import AgentDiagnostics
internal import AgentJSON
internal import AgentHost
internal import AgentSettings
internal import AgentSystem
internal import AgentWeb
internal import ArgumentParser
internal import NIOCore
internal import NIOHTTP1

/// Finds the problems of an agent.
struct DoctorVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Report what is wrong with the agent, and what to do.",
    discussion: """
      Checks the settings, the modules, files and their modes, the database, the kernel, limits, \
      ports, the clock, and the processes of a running agent. Changes nothing. Exit codes: 0 \
      no problem (warnings don't count), 1 at least one problem.

      Example: agent doctor
      """)

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let folder = try common.folder()
    let builder = ModuleBuilder()
    let doctor = AgentDiagnostics.Doctor(folder, host: await host(of: folder)) {
      builder.needsBuild($0)
    }
    let findings = await doctor.findings() + certificate(folder) + service(folder)
    let problems = findings.count { $0.verdict == .problem }
    let warnings = findings.count { $0.verdict == .warning }
    if common.json {
      let value: JSONValue = [
        "healthy": .bool(problems == 0), "findings": .array(findings.map(\.json)),
      ]
      Terminal.json(value, pretty: true)
    } else {
      for finding in findings { Terminal.print(Self.text(finding)) }
      Terminal.print(Self.summary(problems, warnings))
    }
    if problems > 0 { throw Failure.alreadySaid }
  }

  private func host(of folder: AgentFolder) async -> AgentDiagnostics.Doctor.Host {
    guard HostLock.isHeld(path: folder.lock) else { return .stopped }
    let pid = HostLock.holder(path: folder.lock)
    let host = HostClient(socket: folder.socket)
    do {
      _ = try await host.request(.GET, "health/live", timeout: .seconds(10))
      let diagnostics = try await host.request(
        .GET, "diagnostics?integrity=true", timeout: .minutes(10))
      return .running(pid: pid ?? 0, diagnostics)
    } catch let failure as Failure {
      return .silent(pid: pid, why: failure.message)
    } catch {
      return .silent(pid: pid, why: "\(error)")
    }
  }

  private func certificate(_ folder: AgentFolder) -> [DoctorFinding] {
    let settings = SettingsFile.load(folder, options: .init(strict: true)).settings
    let check = settings.flatMap { CertificateCheck($0.http, now: Timestamp.now()) }
    return check?.findings() ?? []
  }

  private func service(_ folder: AgentFolder) -> [DoctorFinding] {
    let units = [false, true].compactMap { try? SystemdUnit(folder, system: $0) }
    guard let unit = units.first(where: \.isThere) else {
      return [
        DoctorFinding(
          "service", .ok,
          sentence:
            "No systemd unit; \"agent service install\" creates one, which starts the agent at boot."
        )
      ]
    }
    guard let program = unit.missingProgram else {
      return [DoctorFinding("service", .ok, sentence: "\(unit.path) exists.")]
    }
    return [
      DoctorFinding(
        "service", .problem, sentence: "\(unit.path) starts \(program), which doesn't exist.",
        remedy: "agent service install\(unit.isOfSystem ? " --system" : "")")
    ]
  }

  private static func text(_ finding: DoctorFinding) -> String {
    let word =
      switch finding.verdict {
      case .ok: "ok      "
      case .warning: Terminal.styled("warning ", .doubtful)
      case .problem: Terminal.styled("PROBLEM ", .bad)
      }
    let line = "\(word) \(finding.name): \(finding.sentence)"
    return line + (finding.remedy.map { "\n         -> \($0)" } ?? "")
  }

  private static func summary(_ problems: Int, _ warnings: Int) -> String {
    func count(_ number: Int, _ word: String) -> String {
      "\(number) \(word)\(number == 1 ? "" : "s")"
    }
    if problems + warnings == 0 { return "Nothing is wrong." }
    return "\(count(problems, "problem")), \(count(warnings, "warning"))."
  }
}
