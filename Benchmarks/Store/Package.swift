// swift-tools-version: 6.2
// The benchmark of the database beside plain SQLite: a package of its own, which compiles nothing
// but the room (by a link to the host's own sources) and GRDB.
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "store-benchmarks",
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
  ],
  targets: [
    .target(name: "AgentSystem", swiftSettings: settings),
    .target(
      name: "AgentStore",
      dependencies: [
        "AgentSystem",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
        .product(name: "DequeModule", package: "swift-collections"),
      ], swiftSettings: settings),
    .target(name: "CStoreProbe", linkerSettings: [.linkedLibrary("sqlite3")]),
    .executableTarget(
      name: "store-bench", dependencies: ["AgentStore", "CStoreProbe"], swiftSettings: settings),
    .executableTarget(
      name: "store-torture", dependencies: ["AgentStore"], swiftSettings: settings),
  ]
)
