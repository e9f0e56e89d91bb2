// swift-tools-version: 6.2
// For editors and tests; `agent build rules` makes the library.
import PackageDescription

let package = Package(
  name: "rules",
  dependencies: [.package(path: "../../SDK")],
  targets: [
    .target(
      name: "RulesModule", dependencies: [.product(name: "AgentKit", package: "SDK")], path: ".",
      exclude: ["README.md", "module.json", "settings.example.json", "tests"],
      sources: ["Entry.swift", "Module.swift", "monitors"]),
    .testTarget(
      name: "RulesModuleTests",
      dependencies: ["RulesModule", .product(name: "AgentKitTesting", package: "SDK")],
      path: "tests"),
  ]
)
