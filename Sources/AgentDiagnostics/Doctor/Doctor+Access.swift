internal import AgentModules
internal import AgentSettings
internal import Glibc

/// Checks of the API's port: certificates, and access without a token.
extension Doctor {
  func entrance() -> [DoctorFinding] {
    guard let http = settings.settings?.http, http.isEnabled else { return [] }
    var findings = http.tls.map(Self.certificates) ?? []
    if http.allowsLocalWithoutToken {
      findings.append(
        DoctorFinding(
          "access", .warning,
          sentence:
            "Every program on this machine may do everything: http.allow_local_without_token is on.",
          remedy: "Remove it, and run: agent token create NAME --scope read"))
    }
    return findings.or("access", "The API's port asks for a token.")
  }

  private static func certificates(_ tls: HTTPSettings.TLS) -> [DoctorFinding] {
    let files: [String] = [tls.certificate, tls.key]
    // The modes of a missing file can't be checked, so missing files are reported first.
    let missing = files.filter { access($0, R_OK) != 0 }
    if let path = missing.first {
      return [
        DoctorFinding(
          "access", .problem, sentence: "\(path) can't be read, so the API's port can't be opened.",
          remedy: "Correct http.tls, or let this user read the file.")
      ]
    }
    guard FileMode(tls.key)?.isOpenToOthers == true else { return [] }
    return [
      DoctorFinding(
        "access", .problem, sentence: "Other users can read the key \(tls.key).",
        remedy: "chmod 600 \(tls.key)")
    ]
  }
}
