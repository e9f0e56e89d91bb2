/// How a schema is compiled.
public struct SchemaOptions: Hashable, Sendable {
  /// What `format` does.
  public enum Formats: Hashable, Sendable {
    /// It only tells people and forms what is meant, as the drafts have it unless asked otherwise.
    case annotation
    /// Texts that don't have the format are failures; formats that aren't known are ignored.
    case assertion
  }

  /// What `contentEncoding` and `contentMediaType` do.
  public enum Content: Hashable, Sendable {
    /// They only tell people and programs what is meant.
    case annotation
    /// Texts that aren't base64, or don't hold JSON, where the schema says they do, are failures;
    /// other encodings and media types are ignored.
    case assertion
  }

  /// What `format` does. A metaschema that makes it an assertion counts in any case.
  public var formats: Formats
  /// What `contentEncoding` and `contentMediaType` do.
  public var content: Content
  /// The draft of a schema that doesn't say its own by `$schema`.
  public var dialect: SchemaDialect

  /// Options; unless said otherwise those of the latest draft.
  public init(
    formats: Formats = .annotation, content: Content = .annotation,
    dialect: SchemaDialect = .draft2020
  ) {
    self.formats = formats
    self.content = content
    self.dialect = dialect
  }
}
