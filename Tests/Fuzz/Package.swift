// swift-tools-version: 6.2
import PackageDescription

// The targets of the project are built here once more, through the link `Sources`: each for the fuzzer, which watches the
// code that an input reaches, and as one package with the drivers, which so see what is for the package only.
let package = Package(
    name: "savetool-fuzz",
    platforms: [.macOS(.v15)],
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
        // Assertions hold in an optimised build, too.
        .unsafeFlags(["-sanitize=fuzzer", "-assert-config", "Debug"]),
    ]
}
