import Foundation

/// What is spent on an input, which must be in proportion to what goes in and comes out.
struct Cost {
    private let start = clock()

    /// Seconds of processor time that anything may take, and how much more for each byte that goes in or comes out.
    /// Drivers are built without optimisation, which this has room for.
    private static let limit = 5.0
    private static let limitPerByte = 3e-7

    /// How much may be put out for an input; the program itself has a limit of this form.
    static func outputLimit(for inputCount: Int) -> Int { 64 << 20 + 256 * inputCount }

    /// Ends the process if too much was spent.
    ///
    /// - Parameter byteCount: how many bytes went in and came out.
    func check(_ byteCount: Int, _ what: String) {
        let seconds = Double(clock() - start) / Double(CLOCKS_PER_SEC)
        guard seconds <= Self.limit + Double(byteCount) * Self.limitPerByte else {
            violation("cost is in proportion to input and output", "\(what): \(seconds) s for \(byteCount) bytes")
        }
    }
}
