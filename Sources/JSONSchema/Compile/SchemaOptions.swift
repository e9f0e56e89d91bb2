/// The options for compiling a schema.
public struct SchemaOptions: Hashable, Sendable {
  /// The meaning of `format`.
  public enum Formats: Hashable, Sendable {
    /// It is a remark for people and forms, which is the default of the drafts.
    case annotation
    /// A text that doesn't have the format is a failure. Formats that aren't known are ignored.
    case assertion
  }

  /// The meaning of `contentEncoding` and `contentMediaType`.
  public enum Content: Hashable, Sendable {
    /// They are remarks for people and programs.
    case annotation
    /// A text that isn't base64, or doesn't hold JSON, although the schema says so, is a failure.
    /// Other encodings and media types are ignored.
    case assertion
  }

  /// A metaschema that makes `format` an assertion counts in any case.
  public var formats: Formats
  public var content: Content
  /// The draft of a schema without `$schema`.
  public var dialect: SchemaDialect

  /// Makes options. Without arguments: the latest draft, with remarks only.
  public init(
    formats: Formats = .annotation, content: Content = .annotation,
    dialect: SchemaDialect = .draft2020
  ) {
    self.formats = formats
    self.content = content
    self.dialect = dialect
  }
}
