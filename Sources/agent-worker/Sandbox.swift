import AgentWorkerProtocol
import CSandbox
import Glibc

/// Applies the limits and the sandbox that LOAD requests.
enum Sandbox {
  /// The level of the sandbox that the kernel supports.
  struct Reached: Sendable {
    let level: Loaded.SandboxReached
    let detail: String?

    /// Writes the record of the sandbox to the crash pipe. Returns the reason if that fails.
    func report(to descriptor: Int32) -> WorkerError? {
      let reached =
        switch level {
        case .full: SANDBOX_FULL
        case .partial: SANDBOX_PARTIAL
        case .none: SANDBOX_NONE
        }
      let error = sandbox_tell(descriptor, reached, detail ?? "")
      guard error != 0 else { return nil }
      return WorkerError(
        .failed, "The host can't be told what the sandbox reached.",
        cause: String(cString: strerror(error)))
    }
  }

  /// Does the preparation that doesn't depend on LOAD. A warm spare does it before LOAD arrives.
  static func prepare() { sandbox_prepare() }

  /// Sets the limits, then the sandbox. A requested level that the kernel doesn't support is a
  /// failure only if it is `required`.
  static func enter(_ load: Load) -> Result<Reached, WorkerError> {
    if let limits = load.limits, let error = limit(limits) { return .failure(error) }
    guard let request = load.sandbox, request.level != .off else {
      sandbox_unprepare()
      return .success(Reached(level: .none, detail: nil))
    }
    guard let reached = apply(request, of: load) else {
      return .failure(
        WorkerError(
          .failed,
          "A path of the sandbox holds the character U+0000. Remove it from module.json or "
            + "settings.json."))
    }
    guard let level = level(reached.level) else {
      return .failure(
        WorkerError(
          .failed, "The sandbox can't be built, so nothing is loaded.", cause: reached.detail))
    }
    guard request.level != .required || level == .full else {
      return .failure(
        WorkerError(
          .failed, "The settings require a sandbox that this kernel can't give.",
          cause: reached.detail))
    }
    return .success(Reached(level: level, detail: reached.detail))
  }

  private static func limit(_ limits: ResourceLimits) -> WorkerError? {
    var values = sandbox_limits(
      memory: Int64(limits.memory ?? -1), files: Int64(limits.files ?? -1),
      cpu: Int64(limits.cpu ?? -1))
    let error = sandbox_limit(&values)
    guard error != 0 else { return nil }
    return WorkerError(
      .failed, "The limits can't be set.", cause: String(cString: strerror(error)))
  }

  /// Returns the result of the sandbox, or `nil` if a path contains U+0000, where a C string would
  /// end early.
  private static func apply(
    _ request: SandboxRequest, of load: Load
  ) -> (level: sandbox_reached, detail: String?)? {
    // The sandbox refuses symbolic links, so that no path can be redirected. The host has resolved
    // the paths of its request. The library's folder and the runtime's folders are resolved here,
    // which is safe because no module can write to them.
    let own = [load.library.map(folder)].compactMap { $0 } + runtimeFolders()
    let readable = [load.directory] + own.map(realPath) + request.read
    let all = readable + request.write + request.run
    guard !all.contains(where: { $0.utf8.contains(0) }) else { return nil }
    return withPaths(readable) { read in
      withPaths(request.write) { write in
        withPaths(request.run) { run in
          var raw = sandbox_request(
            read: read, write: write, run: run, network: request.network == .any ? 1 : 0,
            watch: watches(request, of: load) ? 1 : 0,
            fork: request.run.isEmpty ? 0 : 1, exec: request.run.isEmpty ? 0 : 1)
          var detail = [CChar](repeating: 0, count: 512)
          let reached = sandbox_apply(&raw, &detail, detail.count)
          return (reached, text(detail))
        }
      }
    }
  }

  /// Whether the module may access files outside its folder. Only their changes are worth a watch.
  private static func watches(_ request: SandboxRequest, of load: Load) -> Bool {
    !request.write.isEmpty
      || request.read.contains { $0 != load.directory && $0 != load.library }
  }

  /// Returns `nil` if the kernel supports the sandbox but a step failed.
  private static func level(_ reached: sandbox_reached) -> Loaded.SandboxReached? {
    switch reached {
    case SANDBOX_FULL: .full
    case SANDBOX_PARTIAL: .partial
    case SANDBOX_NONE: Loaded.SandboxReached.none
    default: nil
    }
  }

  private static func text(_ detail: [CChar]) -> String? {
    let bytes = detail.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the folders of Swift's runtime, from the dynamic loader. A module may load more of its
  /// libraries.
  private static func runtimeFolders() -> [String] {
    var folder = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard sandbox_library_folder("libswiftCore.so", &folder, folder.count) == 0 else { return [] }
    return text(folder).map { [$0] } ?? []
  }

  private static func realPath(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private static func folder(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func withPaths<Result>(
    _ paths: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result
  ) -> Result {
    let copies = paths.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    let list = copies.map { UnsafePointer<CChar>($0) } + [nil]
    return list.withUnsafeBufferPointer { body($0.baseAddress) }
  }
}
