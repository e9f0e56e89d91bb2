// swift-tools-version: 6.2
// The rooms that `make check` runs under the sanitizers, without the root package's dependencies:
// built with a sanitizer, those would take many times as long as what is to be checked.
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

let json: Target.Dependency = .product(name: "AgentJSON", package: "SDK")

let package = Package(
  name: "sanitized",
  dependencies: [.package(path: "../../SDK")],
  targets: [
    .target(name: "JSONSchema", dependencies: [json], swiftSettings: settings),
    .target(name: "AgentWorkerProtocol", dependencies: [json], swiftSettings: settings),
    .testTarget(
      name: "JSONSchemaTests", dependencies: ["JSONSchema", json], swiftSettings: settings),
    .testTarget(
      name: "AgentWorkerProtocolTests", dependencies: ["AgentWorkerProtocol", json],
      swiftSettings: settings),
  ]
)
