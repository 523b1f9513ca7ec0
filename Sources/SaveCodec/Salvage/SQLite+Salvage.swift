extension SQLite {
    /// Whether a file is a database whose first 16 bytes are damaged: the other constants of the header are in place,
    /// and the size is a multiple of the page size.
    static func resembles(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= DatabaseFile.headerSize, !begins(bytes), bytes[21...23].elementsEqual([64, 32, 32]),
            (1...2).contains(bytes[18]), (1...2).contains(bytes[19])
        else { return false }
        let stated = Int(bytes[16]) << 8 | Int(bytes[17])
        let size = stated == 1 ? 65_536 : stated
        return size >= 512 && size & (size - 1) == 0 && bytes.count % size == 0
    }

    /// Reads the intact pages and rows of a damaged database, and returns them as a binary property list. A database
    /// is returned as it is if every row can be read, and so is one in which only the header had to be rebuilt.
    static func salvage(_ bytes: [UInt8], limits: Limits) throws(Problem) -> Salvage {
        if resembles(bytes) {
            var salvage = try salvage(magic + bytes[magic.count...], limits: limits)
            salvage.repairs.insert(.restoredName, at: 0)
            return salvage
        }
        if let document = try? read(bytes, limits: limits) {
            var salvage = Salvage.sound(bytes, as: .sqlite, document)
            salvage.doubt(DatabaseCheck(try DatabaseFile(bytes, isWhole: true)).contradictions)
            return salvage
        }
        guard let damaged = DamagedDatabase(in: bytes) else { return try salvageParts(of: bytes, limits) }
        if let restored = damaged.restoringName(limits) {
            var salvage = Salvage.sound(restored, as: .sqlite, try read(restored, limits: limits))
            salvage.repairs.append(.restoredName)
            return salvage
        }
        let restored = damaged.withNewHeader
        let repair = Problem.restoredHeader("the header was rebuilt from the pages")
        if let document = try? read(restored, limits: limits) {
            var salvage = Salvage.sound(restored, as: .sqlite, document)
            salvage.isProved = false
            salvage.repairs.append(repair)
            return salvage
        }
        var salvage = try salvageParts(of: restored, limits)
        salvage.moveRanges(by: -damaged.missingCount)
        salvage.repairs.append(repair)
        return salvage
    }

    private static func salvageParts(of bytes: [UInt8], _ limits: Limits) throws(Problem) -> Salvage {
        let reader = DatabaseReader(
            try DatabaseFile(bytes, isWhole: false), limits: limits, ReadOptions(isSalvage: true))
        let (document, damage) = try reader.readIntactParts()
        if document.databaseSchema?.tables.isEmpty ?? true, let problem = damage.first {
            throw Problem(
                "salvage.schema",
                "nothing can be read: the schema, which names the tables and their columns, is lost: \(problem.message)",
                at: problem.location)
        }
        var output = ByteWriter()
        try BinaryPlist.write(document, to: &output)
        let file = output.takeBytes()
        var salvage = Salvage(
            file, as: .binary, try BinaryPlist.read(file, limits: limits), foundCount: document.rowCount)
        salvage.tableCount = document.databaseSchema?.tables.count
        salvage.isLostCountUnknown = damage.contains { $0.id != "sqlite.stray-page" }
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

extension Salvage {
    /// Doubts the tables of a database that contradicts itself.
    fileprivate mutating func doubt(_ contradictions: [Problem]) {
        guard let first = contradictions.first else { return }
        (isProved, contradiction) = (false, first)
        losses = contradictions.map { problem in
            SalvageLoss(
                .doubtful, nil, at: .address(problem.address ?? .root),
                problem.address == nil ? problem.message : "rows may be wrong: \(problem.message)")
        }
    }
}

extension Document {
    /// The number of rows in the tables of a database.
    var rowCount: Int {
        guard case .dictionary(let tables) = self[root] else { return 0 }
        return tables.reduce(0) { $0 + object($1.value).count }
    }
}

extension Problem {
    fileprivate static func restoredHeader(_ message: String) -> Problem {
        Problem("salvage.header", message, severity: .info, at: .byte(0))
    }

    fileprivate static var restoredName: Problem {
        .restoredHeader("the name of the format in the header was restored")
    }
}
