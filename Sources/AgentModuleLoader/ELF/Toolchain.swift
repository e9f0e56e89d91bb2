/// Which Swift toolchain built a file: two of them can't share a process, since Swift's standard
/// library has no stable interface on Linux.
public struct Toolchain: Sendable, Equatable, CustomStringConvertible {
  /// The name in the file's note, such as `swift-6.3.1-RELEASE`; nil when it has none.
  public let name: String?
  /// The compiler that left its mark in `.comment`. Every Swift library contains an object of its
  /// toolchain's (swiftrt.o), and that was compiled by the toolchain's own clang.
  public let compiler: String?

  /// The toolchain of this program, as far as the program knows it.
  public static let own: Toolchain = {
    guard let bytes = try? FileBytes(path: "/proc/self/exe"), let file = ELFFile(bytes) else {
      return Toolchain(name: nil, compiler: nil)
    }
    return Toolchain(file)
  }()

  init(name: String?, compiler: String?) {
    self.name = name
    self.compiler = compiler
  }

  init(_ file: borrowing ELFFile) {
    let comments = file.comments
    name = file.agentNote ?? comments.first { $0.hasPrefix("Swift version ") }
    compiler = comments.first { $0.contains("swiftlang/llvm-project") }
  }

  /// For people: the name, or what else is known.
  public var description: String {
    name ?? compiler.map { "Swift with \($0)" } ?? "an unknown toolchain"
  }

  /// Whether libraries of both can share a process. What isn't known doesn't speak against it.
  func fits(_ other: Toolchain) -> Bool {
    if let name, let theirs = other.name, name != theirs { return false }
    if let compiler, let theirs = other.compiler, compiler != theirs { return false }
    return true
  }
}
