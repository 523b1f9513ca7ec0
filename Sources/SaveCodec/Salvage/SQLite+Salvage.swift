extension SQLite {
    /// Whether a file is a database whose first 16 bytes are damaged: the other constants of the header are in place, and
    /// the size is a multiple of the page size.
    static func resembles(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= DatabaseFile.headerSize, !begins(bytes), bytes[21...23].elementsEqual([64, 32, 32]),
            (1...2).contains(bytes[18]), (1...2).contains(bytes[19])
        else { return false }
        let stated = Int(bytes[16]) << 8 | Int(bytes[17])
        let size = stated == 1 ? 65_536 : stated
        return size >= 512 && size & (size - 1) == 0 && bytes.count % size == 0
    }

    /// The first 16 bytes of each database.
    private static let magic = Array("SQLite format 3\0".utf8)

    /// Reads the intact pages and rows of a damaged database, and returns them as a binary property list. A database
    /// without damage is returned as it is.
    static func salvage(_ bytes: [UInt8], limits: Limits) throws(Problem) -> Salvage {
        if resembles(bytes) {
            var salvage = try salvage(magic + bytes[magic.count...], limits: limits)
            salvage.repairs.insert(
                Problem("salvage.header", "the header was restored", severity: .info, at: .byte(0)), at: 0)
            return salvage
        }
        if let document = try? read(bytes, limits: limits) {
            return .sound(bytes, as: .sqlite, document)
        }
        let reader = DatabaseReader(
            try DatabaseFile(bytes, isWhole: false), limits: limits, ReadOptions(isSalvage: true))
        let (document, damage) = try reader.readIntactParts()
        var output = ByteWriter()
        try BinaryPlist.write(document, to: &output)
        let file = output.takeBytes()
        var salvage = Salvage(
            file, as: .binary, try BinaryPlist.read(file, limits: limits), foundCount: document.count)
        salvage.losses = damage.map { problem in
            let range: Range<Int>? =
                if case .byte(let offset)? = problem.location { offset..<offset } else { nil }
            return SalvageLoss(
                .doubtful, range, at: problem.address.map(SalvageLoss.Place.address) ?? .unknown,
                problem.message)
        }
        return salvage
    }
}
