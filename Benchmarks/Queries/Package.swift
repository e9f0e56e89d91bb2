// swift-tools-version: 6.2
// The benchmark of queries beside plain loops over the same events: a package of its own, which
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
  name: "query-benchmarks",
  dependencies: [.package(path: "../../SDK")],
  targets: [
    .target(name: "AgentQueries", dependencies: [json], swiftSettings: settings),
    .executableTarget(
      name: "queries-bench", dependencies: ["AgentQueries", json], swiftSettings: settings),
  ]
)
