import Foundation

/// The processor time of an input, which must be proportional to the size of the input and output.
struct Cost {
    private let start = clock()

    /// The allowed seconds of processor time for any input, and for each byte of input or output. These are for drivers
    /// without optimization.
    private static let limit = 5.0
    private static let limitPerByte = 3e-7

    /// Returns the allowed output size for an input. The tool has a limit of the same form.
    static func outputLimit(for inputCount: Int) -> Int { 64 << 20 + 64 * inputCount }

    /// Ends the process if the cost exceeds the limit.
    ///
    /// - Parameter byteCount: The byte count of the input and output.
    func check(_ byteCount: Int, _ what: String) {
        let seconds = Double(clock() - start) / Double(CLOCKS_PER_SEC)
        guard seconds <= Self.limit + Double(byteCount) * Self.limitPerByte else {
            violation("cost is in proportion to input and output", "\(what): \(seconds) s for \(byteCount) bytes")
        }
    }
}
