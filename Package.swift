// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "savetool",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "SaveCodec", targets: ["SaveCodec", "KeyedArchives"]),
        .library(name: "SaveOperations", targets: ["SaveOperations"]),
        .executable(name: "savetool", targets: ["savetool"]),
    ],
    targets: [
        .target(name: "SaveCodec"),
        .target(name: "KeyedArchives", dependencies: ["SaveCodec"]),
        .target(name: "JSONSchema", dependencies: ["SaveCodec", "KeyedArchives"]),
        .target(name: "SaveOperations", dependencies: ["SaveCodec", "KeyedArchives", "JSONSchema"]),
        .systemLibrary(name: "LinuxAttributes"),
        .target(
            name: "SaveToolKit",
            dependencies: [
                "SaveCodec", "KeyedArchives", "JSONSchema", "SaveOperations",
                .target(name: "LinuxAttributes", condition: .when(platforms: [.linux])),
            ]),
        .executableTarget(name: "savetool", dependencies: ["SaveToolKit"]),
        .target(name: "TestSupport", path: "Tests/TestSupport"),
        .testTarget(name: "SaveCodecTests", dependencies: ["SaveCodec", "TestSupport"]),
        .testTarget(name: "KeyedArchivesTests", dependencies: ["KeyedArchives", "SaveCodec", "TestSupport"]),
        .testTarget(
            name: "JSONSchemaTests", dependencies: ["JSONSchema", "KeyedArchives", "SaveCodec", "TestSupport"]),
        .testTarget(
            name: "SaveOperationsTests",
            dependencies: ["SaveOperations", "JSONSchema", "KeyedArchives", "SaveCodec", "TestSupport"]),
        .testTarget(
            name: "SaveToolKitTests",
            dependencies: [
                "SaveToolKit", "SaveOperations", "JSONSchema", "SaveCodec", "TestSupport",
                .target(name: "LinuxAttributes", condition: .when(platforms: [.linux])),
            ]),
    ]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .strictMemorySafety(),
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("ExistentialAny"),
    ]
}
