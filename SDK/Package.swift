// swift-tools-version: 6.2
// The SDK: what a module is written against. It has no dependencies, and keeps none.
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "SDK",
  products: [
    .library(name: "CAgentModule", targets: ["CAgentModule"]),
    .library(name: "AgentJSON", targets: ["AgentJSON"]),
    .library(name: "AgentKit", targets: ["AgentKit"]),
    .library(name: "AgentKitTesting", targets: ["AgentKitTesting"]),
  ],
  targets: [
    .target(name: "CAgentModule"),
    .target(name: "AgentJSON", swiftSettings: settings),
    .target(
      name: "AgentKit", dependencies: ["AgentJSON", "CAgentModule"], swiftSettings: settings),
    .target(name: "AgentKitTesting", dependencies: ["AgentKit"], swiftSettings: settings),
    .testTarget(name: "AgentJSONTests", dependencies: ["AgentJSON"], swiftSettings: settings),
    .testTarget(
      name: "AgentKitTests",
      dependencies: ["AgentKit", "AgentKitTesting", "AgentJSON", "CAgentModule"],
      swiftSettings: settings),
  ]
)
