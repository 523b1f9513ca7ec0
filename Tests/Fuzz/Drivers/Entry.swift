import Foundation

/// Gives the process to libFuzzer, which makes inputs of inputs. `SAVETOOL_FUZZ_DRIVER` says what is done with each:
/// `readers` or `tool`; `corruption` needs no fuzzer.
///
/// Whatever goes against a law ends the process, and libFuzzer keeps the input.
@main enum Entry {
    static func main() {
        if name == "corruption" { return Corruption.check(CommandLine.arguments.dropFirst()) }
        var count = CommandLine.argc
        var arguments = unsafe CommandLine.unsafeArgv
        exit(unsafe runFuzzer(&count, &arguments, testOneInput))
    }
}

private let name = ProcessInfo.processInfo.environment["SAVETOOL_FUZZ_DRIVER"]

/// What is done with an input.
private let driver: @Sendable ([UInt8]) -> Void = {
    switch name {
    case "readers": return ReaderLaws.check
    case "tool": return { ToolInput($0)?.check() }
    default: fatalError("SAVETOOL_FUZZ_DRIVER is \(name ?? "not set"); expected readers, tool or corruption")
    }
}()

/// What libFuzzer calls with each input; its own `main`, which is linked as well, knows it by this name.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
    autoreleased { driver(bytes) }
    return 0
}

/// libFuzzer, with what it calls for each input. SwiftPM wants a `main` of the executable itself, so it is not libFuzzer's.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
    _ argumentCount: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ testOneInput: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// Ends the process, as something is not as it must be.
func violation(_ law: String, _ details: String = "") -> Never {
    fatalError("LAW: \(law)\(details.isEmpty ? "" : "\n" + details.prefix(4_000))")
}

/// Does something, and frees at once what Foundation would keep for later.
private func autoreleased(_ body: () -> Void) {
    #if canImport(ObjectiveC)
        autoreleasepool(invoking: body)
    #else
        body()
    #endif
}
