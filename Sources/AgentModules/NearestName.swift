import JSONSchema

/// Finds the name that was probably meant.
public enum NearestName {
  /// The candidate that a person most likely meant by `name`, for those who know no schemas.
  public static func of(_ name: String, among candidates: some Sequence<String>) -> String? {
    LikelyName.of(name, among: candidates)
  }
}
