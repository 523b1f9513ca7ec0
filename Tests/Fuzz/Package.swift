// swift-tools-version: 6.2
import PackageDescription

// This package builds the targets of the project again, through the link `Sources`. The fuzzer can then see the code
// that an input reaches, and the drivers can use package declarations.
let package = Package(
    name: "savetool-fuzz",
    platforms: [.macOS(.v15)],
    targets: [
        .target(name: "SaveCodec"),
        .target(name: "KeyedArchives", dependencies: ["SaveCodec"]),
        .target(name: "JSONSchema", dependencies: ["SaveCodec", "KeyedArchives"]),
        .target(name: "SaveOperations", dependencies: ["SaveCodec", "KeyedArchives"]),
        .target(name: "SaveInspection", dependencies: ["SaveCodec", "KeyedArchives", "JSONSchema", "SaveOperations"]),
        .systemLibrary(name: "LinuxAttributes"),
        .target(
            name: "SaveToolKit",
            dependencies: [
                "SaveCodec", "KeyedArchives", "JSONSchema", "SaveOperations", "SaveInspection",
                .target(name: "LinuxAttributes", condition: .when(platforms: [.linux])),
            ]),
        .executableTarget(
            name: "Drivers", dependencies: ["SaveCodec", "KeyedArchives", "SaveToolKit"], path: "Drivers",
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])]),
    ]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .strictMemorySafety(),
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("ExistentialAny"),
        // Assertions stay enabled in an optimized build.
        .unsafeFlags(["-sanitize=fuzzer", "-assert-config", "Debug"]),
    ]
}
