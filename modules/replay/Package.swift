// swift-tools-version: 6.2
// For editors and tests; `agent build replay` makes the library.
import PackageDescription

let package = Package(
  name: "replay",
  dependencies: [.package(path: "../../SDK")],
  targets: [
    .target(
      name: "ReplayModule", dependencies: [.product(name: "AgentKit", package: "SDK")], path: ".",
      exclude: ["README.md", "module.json", "settings.example.json", "example.jsonl", "tests"],
      sources: ["Entry.swift", "Module.swift", "datasources"]),
    .testTarget(
      name: "ReplayModuleTests",
      dependencies: ["ReplayModule", .product(name: "AgentKitTesting", package: "SDK")],
      path: "tests"),
  ]
)
