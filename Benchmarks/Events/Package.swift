// swift-tools-version: 6.2
// The benchmark of the bus: a package of its own, which compiles nothing but the rooms that it needs
// (by links to the host's own sources), the SDK and GRDB.
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

let json: Target.Dependency = .product(name: "AgentJSON", package: "SDK")
let deque: Target.Dependency = .product(name: "DequeModule", package: "swift-collections")

let package = Package(
  name: "event-benchmarks",
  dependencies: [
    .package(path: "../../SDK"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .target(name: "AgentSystem", swiftSettings: settings),
    .target(
      name: "AgentStore",
      dependencies: [
        "AgentSystem", json, deque, .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ], swiftSettings: settings),
    .target(name: "AgentQueries", dependencies: [json], swiftSettings: settings),
    .target(
      name: "AgentEvents",
      dependencies: [json, deque, "AgentStore", "AgentSystem", "AgentQueries"],
      swiftSettings: settings),
    .executableTarget(
      name: "events-bench",
      dependencies: ["AgentEvents", "AgentQueries", "AgentStore", json, deque],
      swiftSettings: settings),
  ]
)
