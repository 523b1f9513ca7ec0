extension SQLite {
    /// Reads the intact pages and rows of a damaged database, and returns them as a binary property list. A database
    /// without damage is returned as it is.
    static func salvage(_ bytes: [UInt8], limits: Limits) throws(Problem) -> Salvage {
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
