package import AgentJSON
package import AgentModules

/// A module in the form of the API and the command line.
package enum ModuleText {
  /// Returns the module as JSON.
  package static func json(
    _ manifest: Manifest, isEnabled: Bool, isolation: String, permissions: PermissionText
  ) -> JSONValue {
    [
      "name": .string(manifest.name), "version": .string("\(manifest.version)"),
      "title": .string(manifest.title), "description": .string(manifest.description),
      "enabled": .bool(isEnabled), "isolation": .string(isolation),
      "directory": .string(manifest.directory),
      "permissions": .array(permissions.lines(of: manifest).map { .string($0) }),
      "offers": .array(
        manifest.offers.map {
          [
            "kind": .string($0.kind.rawValue), "name": .string($0.name),
            "title": .string($0.title), "description": .string($0.description),
            "example": $0.example ?? .null,
          ]
        }),
    ]
  }
}
