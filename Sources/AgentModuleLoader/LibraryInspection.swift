/// Looks at a module's library without running any of it.
public enum LibraryInspection {
  /// Why this program couldn't use it: it isn't there, is no shared library, is for another machine,
  /// exports no module, or was built with another Swift toolchain; nil when nothing of that is so.
  public static func problem(of path: String, module: String) -> ModuleLoadError? {
    do throws(ModuleLoadError) {
      try LibraryCheck(name: path, module: module).check(path)
      return nil
    } catch {
      return error
    }
  }
}
