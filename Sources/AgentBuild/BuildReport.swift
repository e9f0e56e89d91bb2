/// What came of building a module.
public struct BuildReport: Sendable, Hashable {
  /// The module's name.
  public let module: String
  /// The file that was written; `nil` when nothing had to be.
  public let product: String?
  /// True when there was nothing to write but the sources were checked: Python's syntax.
  public let isChecked: Bool
  /// What the compiler said, as it said it: warnings.
  public let diagnostics: String
  /// True when the SDK was compiled first, which happens once for each compiler.
  public let compiledSDK: Bool
}
