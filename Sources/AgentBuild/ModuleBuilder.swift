public import AgentModules
internal import Glibc

/// Builds the library of a module from its sources.
///
/// The extensions of the files decide the language. Swift sources need the compiled SDK, which is
/// compiled once for each compiler and cached. C and C++ sources need only its header. Python
/// sources are checked for syntax.
public struct ModuleBuilder: Sendable {
  /// A library exports only the entry function. Otherwise, the dynamic linker could bind a module's
  /// C functions to those of the host or of another module.
  static let versionScript = "{ global: agent_module_v1; local: *; };\n"

  /// The linker reports undefined symbols now, and not the loader later. Modules may use the C
  /// library's mathematical functions, as the host does.
  private static let completeness = ["-Wl,-z,defs", "-Wl,--as-needed", "-lm"]

  /// How long one run of a compiler may take by default. The SDK takes a minute on a slow machine.
  public static let limit = Duration.seconds(600)

  private let environment: BuildEnvironment
  private let optimizes: Bool
  private let limit: Duration

  /// - Parameters:
  ///   - optimizes: whether the library is optimized. A build without optimization takes a fraction
  ///     of the time, which suits experiments.
  ///   - limit: how long one run of the compiler of a module may take. It is ended then.
  public init(
    environment: BuildEnvironment = .current, optimizes: Bool = true,
    limit: Duration = ModuleBuilder.limit
  ) {
    self.environment = environment
    self.optimizes = optimizes
    self.limit = limit
  }

  /// Ends all compilers that run. For a process that is about to end.
  public static func endAll() { Command.endAll() }

  /// Builds the module in a folder. The new library replaces the old one only when it is complete.
  ///
  /// It blocks while the compiler runs, so the caller needs a thread that may block.
  public func build(directory: String) throws(BuildError) -> BuildReport {
    let (manifest, problems) = Manifest.read(directory: directory)
    guard let manifest else {
      throw BuildError(
        .manifest, "The manifest has errors; nothing was built.", problems: problems)
    }
    return try build(manifest)
  }

  /// Builds the module of a manifest. See ``build(directory:)``.
  public func build(_ manifest: Manifest) throws(BuildError) -> BuildReport {
    let sources = ModuleSources(directory: manifest.directory)
    let files = sources.files.map { FileSystem.join(manifest.directory, $0) }
    switch (manifest.entry, sources.language) {
    case (.library(let library), .swift):
      return try buildSwift(manifest, library: library, files: files)
    case (.library(let library), .c), (.library(let library), .cxx):
      return try buildC(manifest, library: library, files: files, isC: sources.language == .c)
    case (.command(let command), .python) where command.first?.contains("python") == true:
      return try checkPython(manifest, interpreter: command[0], files: files)
    case (.library(let library), _):
      // A module may be installed as a library without sources. It needs no build.
      guard FileSystem.exists(FileSystem.join(manifest.directory, library)) else {
        throw BuildError(
          .noSources, "\(manifest.directory) has no Swift, C or C++ files to make \(library) from.")
      }
      return report(manifest)
    case (.command, _), (.functionsOnly, _):
      return report(manifest)
    }
  }

  /// Returns whether the library is missing, or older than a source file, a header or the manifest.
  public func needsBuild(_ manifest: Manifest) -> Bool {
    guard case .library(let library) = manifest.entry else { return false }
    let sources = ModuleSources(directory: manifest.directory)
    guard sources.language != nil, sources.language != .python else { return false }
    let product = FileSystem.join(manifest.directory, library)
    guard let built = Files.changed(product) else { return true }
    return (sources.files + sources.headers + ["module.json"]).contains {
      (Files.changed(FileSystem.join(manifest.directory, $0)) ?? .max) > built
    }
  }

  private func buildSwift(
    _ manifest: Manifest, library: String, files: [String]
  ) throws(BuildError) -> BuildReport {
    let compiler = try environment.program(
      "AGENT_SWIFTC", ["swiftc"], for: manifest.directory,
      install: "Install Swift 6.2 or newer: https://swift.org/install")
    let (sdk, compiled) = try CompiledSDK.prepare(
      source: try environment.sdk(), cache: try environment.cache(), compiler: compiler)
    let output = try link(manifest, library: library) { product, script throws(BuildError) in
      try Compiler(program: compiler, limit: limit).run(
        CompiledSDK.options + (optimizes ? [] : ["-Onone"]) + sdk.searchPaths + [
          "-module-name", Self.moduleName(manifest.name), "-emit-library", "-o", product,
          "-Xlinker", "--version-script=\(script)", "-Xlinker", "--gc-sections",
        ] + sdk.objects + files, what: manifest.name)
    }
    return report(manifest, library: library, diagnostics: output, compiledSDK: compiled)
  }

  private func buildC(
    _ manifest: Manifest, library: String, files: [String], isC: Bool
  ) throws(BuildError) -> BuildReport {
    let compiler =
      try isC
      ? environment.program(
        "CC", ["cc", "gcc", "clang"], for: manifest.directory,
        install: "Install it: apt-get install gcc")
      : environment.program(
        "CXX", ["c++", "g++", "clang++"], for: manifest.directory,
        install: "Install it: apt-get install g++")
    let header = FileSystem.join(try environment.sdk(), "Sources/CAgentModule/include")
    let inputs = files.flatMap { file in
      isC ? [file] : ["-x", file.hasSuffix(".c") ? "c" : "c++", file]
    }
    let output = try link(manifest, library: library) { product, script throws(BuildError) in
      try Compiler(program: compiler, limit: limit).run(
        [
          "-shared", "-fPIC", optimizes ? "-O2" : "-O0", "-g", "-Wall", "-Wextra", "-pthread", "-I",
          header, "-o", product, "-Wl,--version-script=\(script)", "-Wl,--gc-sections",
        ] + (isC ? ["-Werror=implicit-function-declaration"] : []) + inputs + Self.completeness,
        what: manifest.name)
    }
    return report(manifest, library: library, diagnostics: output)
  }

  /// Runs a compiler that writes a library under a temporary name, and renames the library.
  private func link(
    _ manifest: Manifest, library: String,
    compile: (_ product: String, _ script: String) throws(BuildError) -> String
  ) throws(BuildError) -> String {
    let product = FileSystem.join(manifest.directory, library)
    let folder = FileSystem.join(manifest.directory, ".build-\(getpid())")
    try Files.makeFolder(FileSystem.parent(product))
    try Files.makeFolder(folder)
    defer { Files.remove(folder) }
    let script = FileSystem.join(folder, "exports.map")
    try Files.write(Self.versionScript, to: script)
    let made = FileSystem.join(folder, FileSystem.lastName(library))
    let output = try compile(made, script)
    guard rename(made, product) == 0 else {
      throw BuildError(.cannotWrite, "\(product): \(FileSystem.reason(errno)).")
    }
    return output
  }

  private func checkPython(
    _ manifest: Manifest, interpreter: String, files: [String]
  ) throws(BuildError) -> BuildReport {
    // A module may bring its own interpreter. The syntax is then that of the machine's.
    let python = try environment.program(
      "AGENT_PYTHON", [interpreter, "python3"], for: manifest.directory,
      install: "Install it: apt-get install python3")
    let check = """
      import sys
      bad = 0
      for name in sys.argv[1:]:
          try:
              compile(open(name, "rb").read(), name, "exec")
          except (SyntaxError, ValueError) as error:
              line, column = getattr(error, "lineno", 1), getattr(error, "offset", 1)
              print(f"{name}:{line}:{column}: error: {getattr(error, 'msg', error)}")
              bad = 1
      sys.exit(bad)
      """
    // Isolated and without `site`: neither the folder of the build nor a virtual environment has a
    // say in what runs.
    let output = try Compiler(program: python, limit: limit).run(
      ["-I", "-S", "-c", check] + files, what: manifest.name)
    return report(manifest, library: nil, diagnostics: output, isChecked: true)
  }

  private func report(
    _ manifest: Manifest, library: String? = nil, diagnostics: String = "",
    isChecked: Bool = false, compiledSDK: Bool = false
  ) -> BuildReport {
    BuildReport(
      module: manifest.name, product: library.map { FileSystem.join(manifest.directory, $0) },
      isChecked: isChecked, diagnostics: diagnostics, compiledSDK: compiledSDK)
  }

  /// Returns the name of the Swift module, as in the generated Package.swift: `log-watch` becomes
  /// `LogWatchModule`.
  static func moduleName(_ name: String) -> String {
    let words = name.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
    return words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined() + "Module"
  }
}

/// The result of a build.
public struct BuildReport: Sendable, Hashable {
  /// The module's name.
  public let module: String
  /// The written file. `nil` if the library was up to date.
  public let product: String?
  /// Whether the sources were only checked. This holds for Python, which has no library.
  public let isChecked: Bool
  /// The compiler's warnings, unchanged.
  public let diagnostics: String
  /// Whether the SDK was compiled first. This happens once for each compiler.
  public let compiledSDK: Bool
}
