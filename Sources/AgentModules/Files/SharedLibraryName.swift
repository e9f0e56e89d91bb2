/// The rule for names of shared libraries: `libx.so`, or `libx.so.1.2` with a version.
package enum SharedLibraryName {
  /// Returns whether a file has the name of a shared library. `x.source.c` isn't one.
  package static func matches(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard let place = parts.dropFirst().firstIndex(of: "so") else { return false }
    return parts[(place + 1)...].allSatisfy { part in
      !part.isEmpty && part.allSatisfy { $0.isASCII && $0.isNumber }
    }
  }
}
