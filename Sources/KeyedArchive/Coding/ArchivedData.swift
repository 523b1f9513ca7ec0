/// Bytes, as an `NSData` in an archive; `[UInt8]` alone would become an array of numbers.
///
/// Foundation's `Data`, where a program has it, is archived in the same way and needs no ``ArchivedData``. Other coders
/// than the archive's see an array of numbers.
public struct ArchivedData: Sendable, Hashable, Codable {
    /// The bytes.
    public var bytes: [UInt8]

    /// Creates data.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads the bytes.
    public init(from decoder: any Decoder) throws {
        bytes = try decoder.singleValueContainer().decode([UInt8].self)
    }

    /// Writes the bytes.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(bytes)
    }
}
