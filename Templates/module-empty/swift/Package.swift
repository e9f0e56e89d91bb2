// swift-tools-version: 6.2
// For editors and `swift test`; `agent build {{name}}` makes the library.
import PackageDescription

let package = Package(
  name: "{{name}}",
  dependencies: [.package(path: "{{sdk}}")],
  targets: [
    .target(
      name: "{{Name}}", dependencies: [.product(name: "AgentKit", package: "SDK")], path: ".",
      exclude: ["README.md", "module.json", "settings.example.json", "tests"],
      sources: ["Entry.swift", "Module.swift", "datasources", "monitors", "logic_adapters"]),
    .testTarget(
      name: "{{Name}}Tests",
      dependencies: ["{{Name}}", .product(name: "AgentKitTesting", package: "SDK")],
      path: "tests"),
  ]
)
