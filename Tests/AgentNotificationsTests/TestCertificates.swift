import Glibc

/// Certificates for a test, made by `openssl` in a folder that goes with it.
final class TestCertificates {
  struct Identity: Sendable {
    /// PEM files.
    let certificate: String
    let key: String
  }

  struct Failure: Error {
    let words: [String]
  }

  private let folder: String
  /// The PEM file of the authority that signs all others.
  let authority: String

  init() throws {
    var template = Array("/tmp/certificates-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure(words: ["mkdtemp"]) }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    authority = "\(folder)/authority.pem"
    try openssl(
      "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=Tests "
        + "-keyout \(folder)/authority.key -out \(authority)")
  }

  deinit {
    for name in ["authority", "server", "expired"] {
      for end in ["key", "pem", "csr", "ext"] { unlink("\(folder)/\(name).\(end)") }
    }
    rmdir(folder)
  }

  /// A certificate for these names, such as `DNS:hook.example`, signed by the authority.
  ///
  /// - Parameter expired: whether it was valid long ago.
  func identity(_ names: String, expired: Bool = false) throws -> Identity {
    let path = "\(folder)/\(expired ? "expired" : "server")"
    try openssl(
      "req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=receiver "
        + "-keyout \(path).key -out \(path).csr -addext subjectAltName=\(names)")
    // One that ends before it begins has ended.
    let days = expired ? -1 : 1
    try openssl(
      "x509 -req -in \(path).csr -CA \(authority) -CAkey \(folder)/authority.key -set_serial 2 "
        + "-copy_extensions copy -days \(days) -out \(path).pem")
    return Identity(certificate: "\(path).pem", key: "\(path).key")
  }

  private func openssl(_ arguments: String) throws {
    let words = ["openssl"] + arguments.split(separator: " ").map(String.init)
    var pointers = words.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
    }
    var pid = pid_t()
    guard posix_spawnp(&pid, "openssl", &actions, nil, &pointers, environ) == 0 else {
      throw Failure(words: words)
    }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    guard status == 0 else { throw Failure(words: words) }
  }
}
