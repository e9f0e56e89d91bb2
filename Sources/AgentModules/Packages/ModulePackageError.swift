internal import AgentText

/// The error of packing or installing a module.
public struct ModulePackageError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of error, for programs.
  public enum Code: String, Sendable, Hashable {
    case file, damaged, notAModule, invalidManifest, libraryMissing, unsafePath, unsupported
    case installedAlready, tooLarge
  }

  public let code: Code
  /// A sentence for the person who must act.
  public let message: String
  /// The problems of the manifest.
  public let problems: [Problem]

  /// The sentence, then one line for each problem.
  public var description: String {
    ([message] + problems.map(\.description)).joined(separator: "\n")
  }

  private init(_ code: Code, _ message: String, problems: [Problem] = []) {
    self.code = code
    // A package and a folder of somebody else name their own files.
    self.message = VisibleText.line(message)
    self.problems = problems
  }

  static func file(_ path: String, _ failure: FileFailure) -> Self {
    Self(.file, "\(path): \(failure.message)")
  }

  static func invalidManifest(_ problems: [Problem]) -> Self {
    Self(.invalidManifest, "The module's manifest isn't in order.", problems: problems)
  }

  static func notAModule(_ package: String) -> Self {
    Self(.notAModule, "\(package) holds no module.json, so it isn't a module's package.")
  }

  static func libraryMissing(_ library: String, module: String) -> Self {
    Self(
      .libraryMissing,
      "The module's library \(library) isn't there. Build it before it is packed:"
        + " agent build \(module)")
  }

  static func unsafePath(_ path: String, package: String) -> Self {
    Self(
      .unsafePath,
      "\(package) holds \"\(PackagePath.escaped(path))\", which leads out of the module's folder. Don't install it."
    )
  }

  static func unsafeName(_ path: String, package: String) -> Self {
    Self(
      .unsafePath,
      "\(package) holds \"\(PackagePath.escaped(path))\", whose name has characters that can't be "
        + "seen. Don't install it.")
  }

  static func twice(_ path: String, package: String) -> Self {
    Self(
      .unsafePath,
      "\(package) holds \"\(path)\" more than once, so what is checked needn't be what is "
        + "installed. Don't install it.")
  }

  static func installedAlready(_ name: String, _ folder: String) -> Self {
    Self(
      .installedAlready,
      "The module \"\(name)\" is installed already, in \(folder)."
        + " Remove it first: agent module remove \(name)")
  }

  static func link(_ path: String) -> Self {
    Self(
      .unsupported,
      "\(path) is a link or a special file, which packages don't hold. Put a file in its place.")
  }

  static func tooLarge(_ folder: String) -> Self {
    Self(
      .tooLarge,
      "\(folder) holds more than \(ModulePackage.largest >> 20) MiB or 100,000 files;"
        + " packages don't.")
  }

  init(_ failure: TarFailure, package: String) {
    switch failure {
    case .pathTooLong(let path):
      self.init(.unsupported, "The path \(path) is too long for a package. Shorten it.")
    case .fileTooLarge(let path):
      self.init(.tooLarge, "\(path) is too large for a package.")
    case .damaged(let offset):
      self.init(.damaged, "\(package) isn't a module's package, or is damaged at byte \(offset).")
    case .cutShort:
      self.init(.damaged, "\(package) is cut short, or isn't a module's package. Fetch it again.")
    case .tooManyEntries:
      self.init(
        .tooLarge, "\(package) holds more than \(TarArchive.maxEntries) files; packages don't.")
    case .unreadablePath(let offset):
      self.init(
        .unsafePath,
        "\(package) holds a name that isn't UTF-8, at byte \(offset). Don't install it.")
    case .unsupported(let path, let kind):
      self.init(
        .unsupported,
        "\(package) holds \"\(PackagePath.escaped(path))\" of the kind \(PackagePath.escaped(String(kind))); only files and folders are allowed."
          + " Don't install it.")
    }
  }
}
