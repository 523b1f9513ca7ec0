import Foundation

/// The entry point, which runs libFuzzer. `SAVETOOL_FUZZ_DRIVER` selects the driver for its inputs: `readers` or
/// `tool`, or `corruption`, which does not use the fuzzer.
///
/// A violation of a law ends the process, and libFuzzer saves the input.
@main enum Entry {
    static func main() {
        if name == "corruption" { return Corruption.check(CommandLine.arguments.dropFirst()) }
        var count = CommandLine.argc
        var arguments = unsafe CommandLine.unsafeArgv
        exit(unsafe runFuzzer(&count, &arguments, testOneInput))
    }
}

private let name = ProcessInfo.processInfo.environment["SAVETOOL_FUZZ_DRIVER"]

/// The driver that checks each input.
private let driver: @Sendable ([UInt8]) -> Void = {
    switch name {
    case "readers": return ReaderLaws.check
    case "tool": return { ToolInput($0)?.check() }
    default: fatalError("SAVETOOL_FUZZ_DRIVER is \(name ?? "not set"); expected readers, tool or corruption")
    }
}()

/// Checks an input. libFuzzer's own `main`, which is also linked, refers to this function by its C name.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
    autoreleased { driver(bytes) }
    return 0
}

/// Runs libFuzzer with a function that checks each input. SwiftPM requires a `main` in the executable, so libFuzzer's
/// own is not used.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
    _ argumentCount: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ testOneInput: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// Ends the process because a law is violated.
func violation(_ law: String, _ details: String = "") -> Never {
    fatalError("LAW: \(law)\(details.isEmpty ? "" : "\n" + details.prefix(4_000))")
}

/// Runs `body` and then releases objects that Foundation would otherwise keep.
private func autoreleased(_ body: () -> Void) {
    #if canImport(ObjectiveC)
        autoreleasepool(invoking: body)
    #else
        body()
    #endif
}
