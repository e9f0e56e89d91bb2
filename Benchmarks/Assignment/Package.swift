// swift-tools-version: 6.2
// The benchmark of who gets a task: a package of its own, which
// compiles nothing but the room and the SDK (by links to the host's own sources).
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

let json: Target.Dependency = .product(name: "AgentJSON", package: "SDK")

let package = Package(
  name: "assignment-benchmarks",
  dependencies: [.package(path: "../../SDK")],
  targets: [
    .target(name: "AgentSystem", swiftSettings: settings),
    .target(
      name: "AgentAssignment", dependencies: [json, "AgentSystem"], swiftSettings: settings),
    .executableTarget(
      name: "assignment-bench", dependencies: ["AgentAssignment", json], swiftSettings: settings),
  ]
)
