/// The Swift toolchain that built a file. Two different ones can't share a process, because Swift's
/// standard library has no stable binary interface on Linux.
public struct Toolchain: Sendable, Equatable, CustomStringConvertible {
  /// The name from the file's note, such as `swift-6.3.1-RELEASE`. `nil` if it has none.
  public let name: String?
  /// The compiler named in `.comment`. Every Swift library contains `swiftrt.o` of its toolchain,
  /// which the toolchain's own clang compiled.
  public let compiler: String?

  /// The toolchain of this program, with the parts that the program can determine.
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

  /// The name, or the other known parts, for people.
  public var description: String {
    name ?? compiler.map { "Swift with \($0)" } ?? "an unknown toolchain"
  }

  /// Returns whether libraries of both can share a process. Unknown parts count as equal.
  func fits(_ other: Toolchain) -> Bool {
    if let name, let theirs = other.name, name != theirs { return false }
    if let compiler, let theirs = other.compiler, compiler != theirs { return false }
    return true
  }
}
