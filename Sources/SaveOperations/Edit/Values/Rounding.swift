package import SaveCodec

/// A real that had to be rounded to the bytes that it takes.
package struct Rounding: Sendable, Equatable {
    package let address: JSONPointer
    /// The number that it is.
    package let number: String
    package let byteCount: Int

    /// The same in the file that the save at an address is in.
    func within(saveAt address: JSONPointer) -> Rounding {
        Rounding(address: address.appending(self.address), number: number, byteCount: byteCount)
    }
}
