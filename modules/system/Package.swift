// swift-tools-version: 6.2
// For editors and tests; `agent build system` makes the library.
import PackageDescription

let package = Package(
  name: "system",
  dependencies: [.package(path: "../../SDK")],
  targets: [
    .target(
      name: "SystemModule", dependencies: [.product(name: "AgentKit", package: "SDK")], path: ".",
      exclude: ["README.md", "module.json", "settings.example.json", "tests"],
      sources: [
        "Entry.swift", "Module.swift", "actions", "datasources", "monitors", "logic_adapters",
      ]),
    .testTarget(
      name: "SystemModuleTests",
      dependencies: ["SystemModule", .product(name: "AgentKitTesting", package: "SDK")],
      path: "tests"),
  ]
)
