// swift-tools-version: 6.2
// The benchmark of JSON and JSON Schema, and the comparison of the ways to validate: a package of
// its own, which compiles nothing but the two rooms (by a link to the host's own sources).
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

let json: Target.Dependency = .product(name: "AgentJSON", package: "SDK")

let package = Package(
  name: "json-benchmarks",
  dependencies: [.package(path: "../../SDK")],
  targets: [
    .target(name: "JSONSchema", dependencies: [json], swiftSettings: settings),
    .executableTarget(
      name: "json-bench", dependencies: ["JSONSchema", json], swiftSettings: settings),
    .executableTarget(
      name: "pattern-bench", dependencies: ["JSONSchema", json], swiftSettings: settings),
    .executableTarget(
      name: "schema-fuzz", dependencies: ["JSONSchema", json], swiftSettings: settings),
  ]
)
