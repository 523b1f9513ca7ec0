// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "savetool",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "SaveCodec", targets: ["SaveCodec", "KeyedArchives", "ArchiveCoding"]),
        .library(name: "GameSaves", targets: ["GameSaves", "SaveOperations", "SaveInspection"]),
        .executable(name: "savetool", targets: ["savetool"]),
    ],
    targets: [
        .target(name: "SaveCodec"),
        .target(name: "KeyedArchives", dependencies: ["SaveCodec"]),
        .target(name: "ArchiveCoding", dependencies: ["SaveCodec", "KeyedArchives"]),
        .target(name: "JSONSchema", dependencies: ["SaveCodec", "KeyedArchives"]),
        .target(name: "SaveOperations", dependencies: ["SaveCodec", "KeyedArchives"]),
        .target(name: "SaveInspection", dependencies: ["SaveCodec", "KeyedArchives", "JSONSchema", "SaveOperations"]),
        .target(
            name: "GameSaves",
            dependencies: [
                "SaveCodec", "KeyedArchives", "ArchiveCoding", "JSONSchema", "SaveOperations", "SaveInspection",
            ]),
        .systemLibrary(name: "LinuxAttributes"),
        .target(
            name: "SaveToolKit",
            dependencies: [
                "SaveCodec", "KeyedArchives", "JSONSchema", "SaveOperations", "SaveInspection",
                .target(name: "LinuxAttributes", condition: .when(platforms: [.linux])),
            ]),
        .executableTarget(name: "savetool", dependencies: ["SaveToolKit"]),
        .target(name: "TestSupport", path: "Tests/TestSupport"),
        .testTarget(name: "SaveCodecTests", dependencies: ["SaveCodec", "TestSupport"]),
        .testTarget(name: "KeyedArchivesTests", dependencies: ["KeyedArchives", "SaveCodec", "TestSupport"]),
        .testTarget(
            name: "ArchiveCodingTests", dependencies: ["ArchiveCoding", "KeyedArchives", "SaveCodec", "TestSupport"]),
        .testTarget(
            name: "JSONSchemaTests", dependencies: ["JSONSchema", "KeyedArchives", "SaveCodec", "TestSupport"]),
        .testTarget(
            name: "SaveOperationsTests",
            dependencies: ["SaveOperations", "SaveInspection", "KeyedArchives", "SaveCodec", "TestSupport"]),
        .testTarget(
            name: "SaveInspectionTests",
            dependencies: [
                "SaveInspection", "SaveOperations", "JSONSchema", "KeyedArchives", "SaveCodec", "TestSupport",
            ]),
        .testTarget(
            name: "GameSavesTests",
            dependencies: [
                "GameSaves", "SaveInspection", "SaveOperations", "ArchiveCoding", "KeyedArchives", "SaveCodec",
                "TestSupport",
            ]),
        .testTarget(
            name: "SaveToolKitTests",
            dependencies: [
                "SaveToolKit", "SaveInspection", "SaveOperations", "JSONSchema", "SaveCodec", "TestSupport",
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
