package import SaveCodec

/// A real that was rounded to the width of the stored one.
package struct RoundedReal: Sendable, Equatable {
    package let address: JSONPointer
    /// The number after rounding.
    package let number: String
    package let byteCount: Int

    /// Returns the rounding with its address in the file.
    ///
    /// - Parameter address: The address of the value that holds the nested save.
    func within(saveAt address: JSONPointer) -> RoundedReal {
        RoundedReal(address: address.appending(self.address), number: number, byteCount: byteCount)
    }
}
