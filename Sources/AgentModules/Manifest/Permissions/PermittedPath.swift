/// A path as a permission may name it: absolute, without `.` and `..`, without hidden characters,
/// and not inside `/proc`. The path that a person sees is therefore the path that is enforced.
public struct PermittedPath: Sendable, Hashable {
  /// The access that a permission grants to a path.
  public enum Purpose: Sendable, Hashable {
    case read, write, run
  }

  /// The reasons why a text isn't a permitted path.
  public enum Flaw: Error, Hashable {
    case hidden(Unicode.Scalar)
    case relative
    case dots
    case processFiles
    case tooLong

    /// The problem and its remedy, as the end of a sentence that begins with the path.
    public var message: String {
      switch self {
      case .hidden(let scalar):
        "holds the character \(scalar.codeText), which is invisible. Remove it."
      case .relative: "isn't absolute. Begin it with a /."
      case .dots: "holds . or .. as a folder. Write the path without it."
      case .processFiles:
        "lies in /proc, where a name is another file for each process. The whole of \"/proc\" may be"
          + " read; nothing there may be written or run."
      case .tooLong: "is longer than \(PermittedPath.maxBytes) bytes."
      }
    }
  }

  /// The longest path that Linux opens.
  public static let maxBytes = 4095

  /// The path, without redundant slashes.
  public let text: String

  /// Checks a path.
  /// - Parameter folder: the base of a relative path, which may then contain `..`. `nil` requires
  ///   an absolute path.
  public init(
    _ path: String, for purpose: Purpose, in folder: String? = nil
  ) throws(Flaw) {
    if let scalar = path.firstHidden() { throw .hidden(scalar) }
    guard let whole = Self.whole(path, in: folder) else { throw .relative }
    guard whole.utf8.count <= Self.maxBytes else { throw .tooLong }
    var names: [Substring] = []
    for name in whole.split(separator: "/") {
      switch (name, folder) {
      case (".", _?): break
      case ("..", _?): _ = names.popLast()
      case (".", nil), ("..", nil): throw .dots
      default: names.append(name)
      }
    }
    text = "/" + names.joined(separator: "/")
    if names.first == "proc", names.count > 1 || purpose != .read { throw .processFiles }
  }

  private static func whole(_ path: String, in folder: String?) -> String? {
    if path.hasPrefix("/") { return path }
    return folder.map { "\($0)/\(path)" }
  }

  /// Returns the file or folder that the path leads to now, without links. A path that doesn't
  /// exist yet is returned unchanged. Returns `nil` if a link leads into `/proc`, or isn't
  /// followed.
  package func target(for purpose: Purpose, by rules: LinkRules) -> String? {
    guard let real = rules.resolve(text) else { return nil }
    return (try? PermittedPath(real, for: purpose))?.text
  }
}

extension Permissions {
  /// Returns the permissions to enforce. Links are resolved now, so that the enforced paths stay
  /// the shown ones.
  package func enforced(by rules: LinkRules) -> Permissions {
    func targets(_ paths: [String], _ purpose: PermittedPath.Purpose) -> [String] {
      paths.compactMap { path in
        guard let checked = try? PermittedPath(path, for: purpose) else { return nil }
        return checked.target(for: purpose, by: rules)
      }
    }
    let places = targets(write, .write)
    // A path below a writable one needs no rule: the module may read and write it already. A rule
    // of its own would follow a link that the module puts there.
    func isNew(_ path: String) -> Bool {
      !places.contains { $0 != path && path.isWithin($0) }
    }
    return Permissions(
      network: network, read: targets(read, .read).filter { isNew($0) && !places.contains($0) },
      write: places.filter(isNew),
      run: targets(run, .run).filter { isNew($0) && !places.contains($0) })
  }
}
