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
