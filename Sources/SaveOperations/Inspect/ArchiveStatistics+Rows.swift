import KeyedArchives
import SaveCodec

extension ArchiveStatistics {
    typealias Row = ArchiveSummary.Row

    /// What was counted, in the order in which it is shown.
    func rows(of archive: KeyedArchive) -> [Row] {
        let classes = classRows(of: archive)
        let values = values.map { Row(subject: .value($0), tally: $1) }
        let others = [Row(subject: .names, tally: names), Row(subject: .classRecords, tally: classRecords)]
        return classes.filter { $0.subject.isOfGame } + classes.filter { !$0.subject.isOfGame }
            + values.sorted(by: Row.isInOrder) + others.filter { $0.tally.objects > 0 }
    }

    /// The classes that have objects. Records of the same name are one class to those who read the table.
    private func classRows(of archive: KeyedArchive) -> [Row] {
        var positions: [[UInt16]: Int] = [:]
        var tallies: [(name: StoredString, tally: Tally)] = []
        for (record, tally) in zip(archive.classes, instances) where tally.objects > 0 {
            let name = Array(record.name)
            if let position = positions[name] {
                tallies[position].tally.add(tally)
            } else {
                positions[name] = tallies.count
                tallies.append((record.name, tally))
            }
        }
        return tallies.map { name, tally in
            Row(subject: SystemClass.isName(name) ? .systemClass(name) : .gameClass(name), tally: tally)
        }.sorted(by: Row.isInOrder)
    }
}

extension ArchiveSummary.Subject {
    fileprivate var isOfGame: Bool {
        if case .gameClass = self { return true }
        return false
    }

    fileprivate func isBefore(_ other: Self) -> Bool {
        switch (self, other) {
        case (.gameClass(let a), .gameClass(let b)), (.systemClass(let a), .systemClass(let b)),
            (.gameClass(let a), .systemClass(let b)), (.systemClass(let a), .gameClass(let b)):
            a.lexicographicallyPrecedes(b)
        case (.value(let a), .value(let b)): a.rawValue < b.rawValue
        default: false
        }
    }
}

extension ArchiveSummary.Row {
    /// The most bytes first, then the most objects, then by name.
    fileprivate static func isInOrder(_ a: Self, _ b: Self) -> Bool {
        if a.tally.bytes != b.tally.bytes { return a.tally.bytes > b.tally.bytes }
        if a.tally.objects != b.tally.objects { return a.tally.objects > b.tally.objects }
        return a.subject.isBefore(b.subject)
    }
}
