/// The options for compiling a schema.
public struct SchemaOptions: Hashable, Sendable {
  /// The treatment of `format`.
  public enum Formats: Hashable, Sendable {
    /// It is an annotation for people and forms, as the drafts define by default.
    case annotation
    /// A text without the format is a failure. Unknown formats are ignored.
    case assertion
  }

  /// The treatment of `contentEncoding` and `contentMediaType`.
  public enum Content: Hashable, Sendable {
    /// They are annotations for people and programs.
    case annotation
    /// A text that isn't base64 or doesn't contain JSON, although the schema demands it, is a
    /// failure. Other encodings and media types are ignored.
    case assertion
  }

  /// The treatment of `format`. A metaschema that makes it an assertion has priority.
  public var formats: Formats
  public var content: Content
  /// The draft of schemas without `$schema`.
  public var dialect: SchemaDialect

  /// Creates options. The defaults are the latest draft and annotations only.
  public init(
    formats: Formats = .annotation, content: Content = .annotation,
    dialect: SchemaDialect = .draft2020
  ) {
    self.formats = formats
    self.content = content
    self.dialect = dialect
  }
}
