// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "savetool",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "SaveCodec", targets: ["SaveCodec"]),
        .executable(name: "savetool", targets: ["savetool"]),
    ],
    targets: [
        .target(name: "SaveCodec"),
        .target(name: "SaveOperations", dependencies: ["SaveCodec"]),
        .target(name: "SaveToolKit", dependencies: ["SaveCodec", "SaveOperations"]),
        .executableTarget(name: "savetool", dependencies: ["SaveToolKit"]),
        .target(name: "TestSupport", path: "Tests/TestSupport"),
        .testTarget(name: "SaveCodecTests", dependencies: ["SaveCodec", "TestSupport"]),
        .testTarget(name: "SaveOperationsTests", dependencies: ["SaveOperations", "SaveCodec", "TestSupport"]),
        .testTarget(name: "SaveToolKitTests", dependencies: ["SaveToolKit", "TestSupport"]),
    ]
)

for target in package.targets {
    target.swiftSettings = [
        .strictMemorySafety(),
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("ExistentialAny"),
    ]
}
