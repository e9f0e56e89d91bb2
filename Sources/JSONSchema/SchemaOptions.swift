/// How a schema is compiled.
public struct SchemaOptions: Hashable, Sendable {
  /// What `format` does.
  public enum Formats: Hashable, Sendable {
    /// It only tells people and forms what is meant, as 2020-12 has it unless asked otherwise.
    case annotation
    /// Texts that don't have the format are failures; formats that aren't known are ignored.
    case assertion
  }

  /// What `format` does.
  public var formats: Formats

  /// Options; unless said otherwise those of the standard.
  public init(formats: Formats = .annotation) {
    self.formats = formats
  }
}
