/// What is in a file, by its name.
enum ArtifactMedia {
  private static let types = [
    "csv": "text/csv", "gif": "image/gif", "gz": "application/gzip", "html": "text/html",
    "jpeg": "image/jpeg", "jpg": "image/jpeg", "json": "application/json",
    "jsonl": "application/x-ndjson", "log": "text/plain", "md": "text/markdown",
    "pdf": "application/pdf", "png": "image/png", "svg": "image/svg+xml",
    "tar": "application/x-tar", "txt": "text/plain", "webp": "image/webp", "xml": "application/xml",
    "zip": "application/zip",
  ]

  static func type(ofName name: String) -> String {
    let end = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() }
    return end.flatMap { types[$0] } ?? "application/octet-stream"
  }
}
