// swift-tools-version: 6.2
// The benchmark of durable tasks: a package of its own, which compiles the rooms that it measures
// (by links to the host's own sources) and the SDK.
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

let json: Target.Dependency = .product(name: "AgentJSON", package: "SDK")
let deque: Target.Dependency = .product(name: "DequeModule", package: "swift-collections")
let log: Target.Dependency = .product(name: "Logging", package: "swift-log")
let sqlite: Target.Dependency = .product(name: "GRDBSQLite", package: "GRDB.swift")

func room(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

let package = Package(
  name: "tasks-benchmarks",
  dependencies: [
    .package(path: "../../SDK"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    room(
      "AgentStore",
      ["AgentSystem", .product(name: "GRDB", package: "GRDB.swift"), sqlite, deque, json]),
    room("AgentQueries", [json]),
    room("AgentEvents", [json, deque, log, "AgentStore", "AgentSystem", "AgentQueries"]),
    .target(name: "CSupervision"),
    .target(name: "CDescriptors"),
    room("AgentMetrics", [json]),
    room("AgentSupervision", ["CSupervision", log]),
    room("AgentSchedules", []),
    room("AgentSystem", []),
    room("AgentAssignment", [json, "AgentSystem"]),
    .target(
      name: "AgentTasks",
      dependencies: [
        json, deque, "AgentStore", "AgentQueries", "AgentEvents", "AgentMetrics",
        "AgentSupervision", "AgentSchedules", "AgentAssignment", "AgentSystem", "CDescriptors",
      ], resources: [.embedInCode("Resources")], swiftSettings: settings),
    .executableTarget(
      name: "tasks-bench",
      dependencies: [
        "AgentTasks", "AgentStore", "AgentAssignment", "AgentSchedules", json, sqlite,
      ],
      swiftSettings: settings),
  ]
)
