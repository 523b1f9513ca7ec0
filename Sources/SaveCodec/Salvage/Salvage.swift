/// The result of repairing a damaged file: a valid file of the same format, and the list of everything that it lacks.
///
///     damaged file ─▶ repairs that the bytes prove ─▶ the file as it was written    losses: none, isProved
///                  └▶ objects that still read ──────▶ a valid file                  losses: placeholders and doubts
///
/// A value that cannot be read is replaced by null, never by a guess. ``FormatDefinition/salvage(_:limits:)`` makes
/// salvages.
package struct Salvage: Sendable {
    /// The repaired file, without layers. Its format is ``format``.
    package var bytes: [UInt8]
    /// The format of ``bytes``: the format of the damaged file or, if that is read-only, one that can be written.
    package var format: Format
    /// The document in ``bytes``, as the reader of the format reads it.
    package var document: Document
    /// The repairs that keep every value, in the order in which they were made.
    package var repairs: [Problem] = []
    /// Everything that did not come back, or that may be wrong, in file order.
    package var losses: [SalvageLoss] = []
    /// The number of objects, or values of a text, that came back. Placeholders and the keys of a text are not counted.
    package var foundCount: Int
    /// The number of tables, if the file is a database. Then `foundCount` is the number of rows.
    package var tableCount: Int?
    /// The number of objects before the ones that were added in place of lost values, if objects are numbered.
    package var numberedCount: Int?
    /// Whether nothing shows how many values were lost in addition to those in ``losses``.
    package var isLostCountUnknown = false
    /// The range of another complete file after the end of the first; nil without one.
    package var secondFile: Range<Int>?
    /// The evidence of damage in a file that its reader accepts, or nil.
    package var contradiction: Problem?
    /// Whether ``bytes`` are proved to be the file as it was before the damage, byte for byte.
    package var isProved = false

    /// Creates a salvage.
    init(_ bytes: [UInt8], as format: Format, _ document: Document, foundCount: Int) {
        (self.bytes, self.format, self.document, self.foundCount) = (bytes, format, document, foundCount)
    }

    /// Returns the salvage of a file that has no damage.
    static func sound(_ bytes: [UInt8], as format: Format, _ document: Document) -> Salvage {
        let count = format.has(.objectTable) ? document.count : document.valueCount
        var salvage = Salvage(bytes, as: format, document, foundCount: count)
        if let schema = document.databaseSchema {
            salvage.foundCount = document.rowCount
            salvage.tableCount = schema.tables.count
        }
        salvage.isProved = true
        return salvage
    }

    /// Replaces the object identifiers in the losses by addresses, which remain valid if objects are renumbered.
    package mutating func addressLosses() {
        let wanted = Set(losses.compactMap { if case .object(let id) = $0.place { id } else { nil } })
        let addresses = document.addresses(of: wanted)
        for index in losses.indices {
            guard case .object(let id) = losses[index].place else { continue }
            losses[index].place = addresses[id].map { .address($0) } ?? .unknown
        }
    }

    /// Moves the ranges of the losses. A range before the beginning of the file is dropped.
    mutating func moveRanges(by shift: Int) {
        for index in losses.indices {
            losses[index].range = losses[index].range.flatMap { range in
                range.upperBound + shift <= 0 ? nil : max(range.lowerBound + shift, 0)..<range.upperBound + shift
            }
        }
    }

    /// Whether the file had no damage.
    package var isSound: Bool { isProved && repairs.isEmpty }

    /// The number of values that did not come back. Doubtful values are not counted.
    package var lostCount: Int { losses.reduce(0) { $0 + ($1.kind == .doubtful ? 0 : $1.count) } }
}

/// A value that a salvage could not get back, or that it kept although it may be wrong.
package struct SalvageLoss: Sendable, Equatable {
    /// The way in which a value was lost.
    package enum Kind: String, Sendable, CaseIterable {
        /// The value cannot be read. Null is in its place.
        case value
        /// The key of a pair cannot be read. A key that begins with ``SalvageLoss/keyPrefix`` is in its place.
        case key
        /// The value is not in the file: the file was cut off, or a reference leads nowhere. Null is in its place.
        case missing
        /// The class of an object cannot be read. The class ``SalvageLoss/className`` is in its place.
        case className = "class"
        /// The value was kept, but its surroundings contradict it, so it may be wrong.
        case doubtful
    }

    /// The position of the placeholder, or of the doubtful value, in the repaired document.
    package enum Place: Sendable, Equatable {
        /// An object of the document.
        case object(ObjectID)
        /// An address in the document as stored, such as `/$objects/3`.
        case address(JSONPointer)
        /// No position: the container of the value is lost, too, or nothing shows which container it was.
        case unknown
    }

    package var kind: Kind
    /// The damaged bytes of the file, inside its layers; nil if they are missing.
    package var range: Range<Int>?
    package var place: Place
    /// The reason, without the location: `object 7: its size contradicts the offset table`.
    package var message: String
    /// The reason, without the number of an object; nil if it is different for each loss.
    package var reason: String?
    /// The number of values that were lost here, if they are adjacent and have no separate positions; 0 for the key,
    /// class or reference of a value that came back.
    package var count = 1
    /// The number of keys that were lost here.
    package var keyCount = 0
    /// The number of an object that is not in the file; nil for other losses.
    package var missingObject: Int?
    /// Whether a container may lack members at its end: the one at `place` or, if a placeholder is there, the one
    /// around it.
    package var isOpen = false
    /// The number, in its archive, of the object or class record whose class is lost; nil for other losses.
    package var archiveObject: Int?
    /// The class that replaced ``className``, taken from an older copy of the file; nil if none did.
    package var olderClass: String?

    package init(_ kind: Kind, _ range: Range<Int>?, at place: Place, _ message: String, count: Int = 1) {
        (self.kind, self.range, self.place, self.message, self.count) = (kind, range, place, message, count)
        if kind == .key { keyCount = 1 }
    }

    /// The beginning of the keys that replace lost ones. A number follows.
    package static let keyPrefix = "lost key "
    /// The name of the class that replaces lost ones.
    package static let className = "LostClass"
}

extension Problem {
    /// Returns the error for a file in which nothing can be read.
    package static func nothingToSalvage(_ cause: Problem) -> Problem {
        Problem("salvage.nothing", "nothing can be read: \(cause.message)", at: cause.location)
    }
}

extension Format {
    /// Detects the format of a file that may be damaged at its beginning, too.
    ///
    /// - Throws: A problem if no format is recognized.
    package static func recognizeDamaged(_ bytes: [UInt8], limits: Limits = Limits()) throws(Problem) -> Format {
        if let format = detected(in: bytes), !format.has(.bareWords) { return format }
        if let problem = unsupported(in: bytes), problem.kind.isOfOtherFile { throw problem }
        // A database may contain saves of other formats.
        if Format.sqlite.definition.resembles(bytes) { return .sqlite }
        if let format = allCases.first(where: { $0.definition.resembles(bytes) }) { return format }
        return try recognize(bytes, limits: limits)
    }
}

extension Salvage {
    /// Adds the damage of the layers around the file.
    ///
    /// A wrong size and bytes after the end count as repairs. If the checksum is wrong, any value may be wrong, too.
    package mutating func add(_ damage: [Problem]) {
        for problem in damage {
            isProved = false
            switch problem.id {
            case "gzip.size", "gzip.trailing", "zlib.trailing":
                repairs.append(Problem("salvage.checksum", problem.message, severity: .info, at: problem.location))
            case "gzip.checksum", "zlib.checksum":
                losses.append(
                    SalvageLoss(
                        .doubtful, nil, at: .address(.root),
                        "the checksum of the compressed data is wrong, so any value may be wrong"))
            default:
                losses.append(SalvageLoss(.doubtful, nil, at: .address(.root), problem.message))
            }
        }
    }
}

extension Document {
    /// The number of values, including containers but not keys.
    var valueCount: Int {
        var walk = DocumentWalk(self)
        var count = 1
        while let visit = walk.next() {
            if visit.object.kind.isContainer { count += visit.object.count }
        }
        return count
    }
}
