/// A file that lacks its first bytes, which are the same in all files of its kind:
///
///     SQLite        53 51 4C 69 74 65 20 66 6F 72 6D 61 74 20 33 00
///     typedstream   04 0B 73 74 72 65 61 6D 74 79 70 65 64 81 E8 03
///     gzip          1F 8B 08 │ 00 00 00 00 00      the flags and the time may have been others
///     zlib          78
///     XML           <?xml version="1.0" encoding="UTF-8"?>     or <!DOCTYPE plist, or <plist version="1.0">
///
/// The restored file has to be complete, or have a checksum. ``BinaryPlistSalvage`` restores the beginning of binary
/// property lists.
package struct RestoredBeginning {
    package let bytes: [UInt8]
    /// The number of bytes that were missing; nil if there may have been others before them.
    private let count: Int?
    private let title: String
    /// Whether the file can have had no other beginning.
    package let isProved: Bool

    /// Returns the complete file; nil unless the bytes are the rest of one.
    package static func find(for rest: [UInt8], limits: Limits) -> RestoredBeginning? {
        candidates(for: rest).first { candidate in
            guard let (contents, layers) = try? Layers.unwrap(candidate.bytes, limits: limits),
                let format = Format.detected(in: contents)
            else { return false }
            // The checksum of a layer proves its contents.
            return layers.haveChecksum
                || UnreadableFile.isFile(contents, as: format, layers.limits(limits, inside: candidate.bytes))
        }
    }

    private static func candidates(for rest: [UInt8]) -> [RestoredBeginning] {
        var found: [RestoredBeginning] = []
        func add(
            _ beginning: some Collection<UInt8>, _ title: String, isCounted: Bool = true, isProved: Bool
        ) {
            found.append(
                RestoredBeginning(
                    bytes: Array(beginning) + rest, count: isCounted ? beginning.count : nil, title: title,
                    isProved: isProved))
        }
        let magic = SQLite.magic
        for count in 1...magic.count where rest.count >= DatabaseFile.headerSize {
            guard rest.starts(with: magic.dropFirst(count)), rest[21 - count...23 - count].elementsEqual([64, 32, 32])
            else { continue }
            let isProved = SQLite.hasStatedSize(Array(magic.prefix(count)) + rest)
            add(magic.prefix(count), "an SQLite database", isProved: isProved)
        }
        for (signature, isBigEndian) in TypedStreamReader.signatures {
            let beginning = [0x04] + signature + (isBigEndian ? [0x81, 0x03, 0xE8] : [0x81, 0xE8, 0x03])
            // The last byte shows the order of bytes in numbers.
            for count in 1..<beginning.count where rest.starts(with: beginning.dropFirst(count)) {
                add(beginning.prefix(count), "a typedstream", isProved: false)
            }
        }
        // The data often has a name, but no time.
        for (flags, counts) in [(0 as UInt8, 1...8), (8, 4...8)] {
            let header: [UInt8] = [0x1F, 0x8B, 8, flags, 0, 0, 0, 0]
            for count in counts where isGzipHeader(Array(header.prefix(count)) + rest.prefix(10 - count)) {
                add(header.prefix(count), "gzip data", isProved: count <= 3)
            }
        }
        // Whole lines may be missing before this one.
        for beginning in beginningsOfXML.lazy.map({ Array($0.description.utf8) }) {
            for count in 1...beginning.count - 2 where rest.starts(with: beginning.dropFirst(count)) {
                add(beginning.prefix(count), "an XML property list", isCounted: false, isProved: false)
            }
        }
        if Zlib.isPresent(in: ([0x78] + rest.prefix(63))[...]) { add([0x78], "zlib data", isProved: true) }
        return found
    }

    private static let beginningsOfXML: [StaticString] = [
        "<plist version=\"1.0\">", "<plist>", "<?xml version=\"1.0\"", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
        "<!DOCTYPE plist",
    ]

    private static func isGzipHeader(_ bytes: [UInt8]) -> Bool {
        bytes.count == 10 && bytes.starts(with: [0x1F, 0x8B, 8]) && bytes[3] < 0x20 && [0, 2, 4].contains(bytes[8])
            && (bytes[9] <= 13 || bytes[9] == 255)
    }

    /// The cause of the damage.
    var problem: Problem { Self.problem(count, of: title) }

    /// The repair, for the report of a salvage.
    package var repair: Problem { Self.repair(count) }

    /// Returns the cause of the damage.
    ///
    /// - Parameters:
    ///   - count: The number of missing bytes; nil if it is unknown.
    ///   - title: The kind of the file, with its article.
    static func problem(_ count: Int?, of title: String) -> Problem {
        let missing =
            count.map { "its first " + ($0 == 1 ? "byte is" : "\(CountText.of($0)) bytes are") } ?? "the beginning is"
        return Problem("damage.beginning", "this is the end of \(title); \(missing) missing", at: .byte(0))
    }

    static func repair(_ count: Int?) -> Problem {
        let restored =
            count.map { "missing " + ($0 == 1 ? "byte" : "\(CountText.of($0)) bytes") + " of the header" }
            ?? "beginning of the first tag"
        let verb = Phrase.verb("was", for: count ?? 1)
        return Problem("salvage.header", "the \(restored) \(verb) restored", severity: .info, at: .byte(0))
    }
}
