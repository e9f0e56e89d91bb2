internal import AgentModules
internal import Glibc

/// The SDK compiled by one compiler: object files, Swift modules, and the note that names the
/// toolchain. Its folder in the cache is named by a digest of the sources, the compiler and the
/// options.
struct CompiledSDK {
  /// The compiler options for modules: whole-module optimization, and line tables for crash
  /// reports.
  static let options = common + ["-gline-tables-only"]

  /// With the last two options, the linker drops the parts that a module doesn't use. Without them,
  /// the compiler keeps all public symbols, and a module was 87 KB larger.
  private static let common = [
    "-O", "-wmo", "-parse-as-library", "-swift-version", "6", "-Xfrontend", "-function-sections",
    "-Xfrontend", "-internalize-at-link",
  ]

  /// The compiler options for the SDK. They equal those of its package. Authors of modules may
  /// choose others for their own code.
  private static let ownOptions =
    common + [
      "-enable-upcoming-feature", "ExistentialAny", "-enable-upcoming-feature",
      "MemberImportVisibility", "-enable-upcoming-feature", "InternalImportsByDefault",
    ]

  let folder: String
  let header: String

  /// The compiler's cache of C modules. It lies beside the SDKs, because its files contain their
  /// own paths and so can't be moved.
  private var headerCache: String { FileSystem.join(FileSystem.parent(folder), "clang") }

  var objects: [String] {
    ["AgentKit.o", "AgentJSON.o", "note.o"].map { FileSystem.join(folder, $0) }
  }

  /// The compiler options for building against this SDK.
  var searchPaths: [String] {
    ["-I", folder, "-I", header, "-module-cache-path", headerCache]
  }

  /// Finds the SDK in the cache, or compiles it there.
  /// - Returns: the SDK, and whether it was compiled now.
  static func prepare(
    source: String, cache: String, compiler: String
  ) throws(BuildError) -> (CompiledSDK, Bool) {
    let json = files(of: "AgentJSON", in: source)
    let kit = files(of: "AgentKit", in: source)
    let folder = FileSystem.join(cache, try digest(json + kit, source: source, compiler: compiler))
    let header = FileSystem.join(source, "Sources/CAgentModule/include")
    if FileSystem.exists(FileSystem.join(folder, "note.o")) {
      return (CompiledSDK(folder: folder, header: header), false)
    }
    // The folder is compiled under another name and then renamed. If two builds run at once, the
    // first one to rename wins, and both use the same folder.
    let temporary = "\(folder).new-\(getpid())"
    try Files.makeFolder(temporary)
    defer { Files.remove(temporary) }
    let sdk = CompiledSDK(folder: temporary, header: header)
    try sdk.compile("AgentJSON", files: json, compiler: compiler)
    try sdk.compile("AgentKit", files: kit, compiler: compiler)
    try sdk.assembleNote(compiler)
    if rename(temporary, folder) != 0, !FileSystem.exists(FileSystem.join(folder, "note.o")) {
      throw BuildError(.cannotWrite, "\(folder): \(FileSystem.reason(errno)).")
    }
    return (CompiledSDK(folder: folder, header: header), true)
  }

  private static func files(of target: String, in source: String) -> [String] {
    let folder = FileSystem.join(source, "Sources/\(target)")
    return ModuleSources(directory: folder).files.map { FileSystem.join(folder, $0) }
  }

  private static func digest(
    _ files: [String], source: String, compiler: String
  ) throws(BuildError) -> String {
    var digest = SourceDigest()
    digest.add(program: compiler)
    digest.add(ownOptions.joined(separator: " "))
    for file in files + [FileSystem.join(source, "Sources/CAgentModule/include/agent_module.h")] {
      digest.add(String(file.dropFirst(source.count)))
      do {
        digest.add(try FileSystem.read(file))
      } catch {
        throw BuildError(.sdkMissing, "\(file): \(error.message)")
      }
    }
    return digest.text
  }

  private func compile(
    _ module: String, files: [String], compiler: String
  ) throws(BuildError) {
    let product = FileSystem.join(folder, module)
    try Compiler(program: compiler).run(
      Self.ownOptions + searchPaths + [
        "-module-name", module, "-emit-module", "-emit-module-path", product + ".swiftmodule",
        "-emit-object", "-o", product + ".o",
      ] + files, what: "the SDK's \(module)")
  }

  /// Assembles the ELF note that names the toolchain. A host reads it before it loads a library.
  private func assembleNote(_ compiler: String) throws(BuildError) {
    let toolchain = Self.toolchain(try Compiler(program: compiler).run(["--version"], what: ""))
    let source = FileSystem.join(folder, "note.s")
    let size = toolchain.utf8.count + 1
    let text = """
      .section .note.agent,"a",%note
      .balign 4
      .long 6, \(size), 1
      .asciz "Agent"
      .balign 4
      .asciz "\(toolchain)"
      .balign 4
      .section .note.GNU-stack,"",%progbits

      """
    try Files.write(text, to: source)
    let clang = FileSystem.join(
      FileSystem.parent(FileSystem.realPath(compiler) ?? compiler), "clang")
    let assembler = FileSystem.exists(clang) ? clang : "/usr/bin/cc"
    try Compiler(program: assembler).run(
      ["-c", source, "-o", FileSystem.join(folder, "note.o")], what: "the toolchain's note")
  }

  /// Returns the name in parentheses in the first line, such as `swift-6.3.1-RELEASE`, or the whole
  /// line if there is none.
  static func toolchain(_ version: String) -> String {
    let line = version.split(separator: "\n").first { $0.contains("Swift version") } ?? ""
    let name = line.split(separator: "(").dropFirst().first?.split(separator: ")").first ?? line
    return String(name.filter { $0.isASCII && $0 != "\"" && $0 != "\\" }.prefix(200))
  }
}
