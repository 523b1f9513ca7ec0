import SaveCodec

/// Checks of the values in fields of Foundation classes: packed numbers in data, numbers as text, and the like
/// (<doc:ArchiveFindings>).
///
/// The fields already have the kinds that their classes prescribe. No check rejects a value that an unarchiver reads;
/// bytes that an unarchiver ignores cause a warning.
extension ArchiveCheck {
    mutating func valueFaults(of object: CheckedObject, _ annotation: Annotation) -> [Problem] {
        switch annotation {
        case .attributedString: [faultOfRuns(object)].compactMap { $0 }
        case .indexSet: [faultOfIndexSet(object)].compactMap { $0 }
        case .indexPath: [faultOfIndexPath(object)].compactMap { $0 }
        case .decimal: faultsOfDecimal(object)
        case .color, .uiColor: faultsOfColor(object)
        case .value: [faultOfGeometry(object)].compactMap { $0 }
        case .calendarDate, .countedSet, .dateComponents, .dateInterval, .error, .font, .identifier, .measurement,
            .node, .personName, .queryItem, .quoted, .url, .uuid:
            []
        }
    }

    // MARK: Fields

    /// A field of a checked object.
    private struct Field {
        let name: StaticString
        let object: CheckedObject
        /// The scalar that is the field's value: stored in the field, or the target of its reference, or inside an
        /// object such as an NSMutableData.
        let id: ObjectID
        let stored: StoredObject
    }

    /// Returns a field; nil if it does not exist, is nil, or refers to a container or an object with fields.
    private func field(_ name: StaticString, of object: CheckedObject) -> Field? {
        guard let id = document.value(for: name, of: object.stored).flatMap(scalar) else { return nil }
        return Field(name: name, object: object, id: id, stored: document.object(id))
    }

    /// Returns a scalar, the target of a reference to one, or the scalar in an object such as an NSMutableData.
    private func scalar(_ id: ObjectID) -> ObjectID? {
        let stored = document.object(id)
        guard stored.kind == .uid else { return stored.kind.isContainer ? nil : id }
        let uid = Int(document.uid(stored))
        guard uid < entries.count else { return nil }
        let (entry, target) = (entries[uid], object(UID(uid)))
        switch entry.kind {
        case .value: return document.object(target).kind.isContainer ? nil : target
        case .string, .data, .bytes: return document.value(1 - entry.slot, of: document.object(target))
        default: return nil
        }
    }

    private func integer(_ name: StaticString, of object: CheckedObject) -> Int? {
        guard let value = document.value(for: name, of: object.stored).map(document.object), value.kind == .integer
        else { return nil }
        return Int(exactly: document.integer(value))
    }

    /// Returns the bytes of a data field; nil if the field does not hold data, or if too many bytes have been checked
    /// already.
    private mutating func bytes(_ name: StaticString, of object: CheckedObject) -> (Field, ArraySlice<UInt8>)? {
        guard let field = field(name, of: object), case .data(let bytes) = document.node(field.stored),
            bytes.count <= packedBytesLeft
        else { return nil }
        packedBytesLeft -= bytes.count
        return (field, bytes)
    }

    private func problem(_ fault: PackedFault, _ field: Field, severity: Problem.Severity = .error) -> Problem {
        let offset = document.has(.objectTable) ? field.stored.start + fault.offset : nil
        return Problem(
            severity == .error ? "archive.packed-data" : "archive.packed-rest",
            "byte \(fault.offset) of \(field.name) of \(field.object.name.shownAsClass): \(fault.reason)",
            severity: severity, at: offset.map { .byte($0) }, address: .object(field.object.uid, field.name))
    }

    private func problem(_ field: StaticString, is found: String, expected: String, of object: CheckedObject) -> Problem
    {
        let id = document.value(for: field, of: object.stored) ?? object.id
        return reported(id, at: .object(object.uid, field)).problem(
            "archive.field-value", "\(field) of \(object.name.shownAsClass) is \(found); expected \(expected)")
    }

    // MARK: Attributed strings

    private mutating func faultOfRuns(_ object: CheckedObject) -> Problem? {
        guard let text = field("NSString", of: object), text.stored.kind.isString, text.stored.count > 0,
            let attributes = document.value(for: "NSAttributes", of: object.stored), !isNil(attributes)
        else { return nil }
        let count = elementCount(of: attributes)
        guard let info = document.value(for: "NSAttributeInfo", of: object.stored), !isNil(info) else {
            guard count != nil else { return nil }
            return problem(
                "NSAttributes", is: "an array without NSAttributeInfo", expected: "a dictionary of attributes",
                of: object)
        }
        guard let (field, bytes) = bytes("NSAttributeInfo", of: object), let count else { return nil }
        var table = RunTable(bytes, textLength: text.stored.count, attributesCount: count)
        do throws(PackedFault) {
            while try table.next() != nil {}
            return table.ignoredFault.map { problem($0, field, severity: .warning) }
        } catch {
            return problem(error, field)
        }
    }

    private func isNil(_ id: ObjectID) -> Bool {
        let stored = document.object(id)
        guard stored.kind == .uid, Int(document.uid(stored)) < entries.count else { return false }
        return entries[Int(document.uid(stored))].kind == .null
    }

    /// Returns the number of elements of an array that a field refers to; nil for another value.
    private func elementCount(of id: ObjectID) -> Int? {
        let stored = document.object(id)
        guard stored.kind == .uid, Int(document.uid(stored)) < entries.count else { return nil }
        let (entry, target) = (entries[Int(document.uid(stored))], target(of: id))
        switch entry.kind {
        case .elements:
            return target.map { document.object(document.value(1 - entry.slot, of: $0)).count }
        case .numbered: return target.map { $0.count - 1 }
        default: return nil
        }
    }

    // MARK: Indices

    private mutating func faultOfIndexSet(_ object: CheckedObject) -> Problem? {
        guard let count = integer("NSRangeCount", of: object) else { return nil }
        guard count >= 0 else { return faultOfCount("NSRangeCount", is: count, of: object) }
        guard count > 1 else {
            guard count == 1, let location = integer("NSLocation", of: object),
                let length = integer("NSLength", of: object)
            else { return nil }
            let (end, isBeyond) = location.addingReportingOverflow(length)
            guard location < 0 || length < 0 || isBeyond || end < 0 else { return nil }
            return problem(
                "NSLocation", is: "\(location) with a length of \(length)", expected: "a range of indices", of: object)
        }
        return numbersFault("NSRangeData", of: object) { numbers throws(PackedFault) in
            for _ in 0..<count {
                let offset = numbers.offset
                let (location, length) = (try numbers.next(), try numbers.next())
                guard location.addingReportingOverflow(length).overflow else { continue }
                throw PackedFault(offset: offset, reason: "a range ends beyond the largest index")
            }
        }
    }

    private mutating func faultOfIndexPath(_ object: CheckedObject) -> Problem? {
        guard let count = integer("NSIndexPathLength", of: object) else { return nil }
        guard count >= 0 else { return faultOfCount("NSIndexPathLength", is: count, of: object) }
        guard count > 1 else { return nil }
        if let data = field("NSIndexPathData", of: object)?.stored, GNUstepIndices.width(of: data.count, count) != nil {
            return nil
        }
        return numbersFault("NSIndexPathData", of: object) { numbers throws(PackedFault) in
            for _ in 0..<count { _ = try numbers.next() }
        }
    }

    private func faultOfCount(_ field: StaticString, is count: Int, of object: CheckedObject) -> Problem {
        problem(field, is: "\(count)", expected: "a count", of: object)
    }

    /// Returns an error if `read` rejects the packed numbers of a field, or a warning if it does not read all of them.
    private mutating func numbersFault(
        _ name: StaticString, of object: CheckedObject, _ read: (inout PackedNumbers) throws(PackedFault) -> Void
    ) -> Problem? {
        guard let (field, bytes) = bytes(name, of: object) else { return nil }
        var numbers = PackedNumbers(bytes)
        do throws(PackedFault) {
            try read(&numbers)
        } catch {
            return problem(error, field)
        }
        guard !numbers.isAtEnd else { return nil }
        return problem(
            PackedFault(offset: numbers.offset, reason: "the numbers already end here"), field, severity: .warning)
    }

    // MARK: Numbers and texts

    private func faultsOfDecimal(_ object: CheckedObject) -> [Problem] {
        let fields: [(StaticString, ClosedRange<Int128>)] = [
            ("NS.exponent", -128...127), ("NS.length", 0...8), ("NS.mantissa.bo", 1...2),
        ]
        var faults = fields.compactMap { name, range -> Problem? in
            guard let value = document.value(for: name, of: object.stored),
                case .integer(let integer) = document[value], !range.contains(integer.value)
            else { return nil }
            return problem(
                name, is: "\(integer.value)", expected: "\(range.lowerBound) to \(range.upperBound)", of: object)
        }
        if let count = field("NS.mantissa", of: object)?.stored.count, count != 16 {
            let found = Phrase.count(count, "byte")
            faults.append(problem("NS.mantissa", is: "data of " + found, expected: "data of 16 bytes", of: object))
        }
        return faults
    }

    private mutating func faultsOfColor(_ object: CheckedObject) -> [Problem] {
        // The opacity may follow the components.
        let fields: [(StaticString, ClosedRange<Int>)] = [
            ("NSRGB", 3...4), ("NSWhite", 1...2), ("NSCMYK", 4...5), ("NSComponents", 1...Int.max),
        ]
        var faults: [Problem] = []
        for (name, counts) in fields {
            guard let (field, bytes) = bytes(name, of: object) else { continue }
            do throws(PackedFault) {
                try NumberList.check(bytes, counts: counts)
            } catch {
                faults.append(problem(error, field))
            }
        }
        return faults
    }

    private func faultOfGeometry(_ object: CheckedObject) -> Problem? {
        let (name, count, kind): (StaticString, Int, String)
        switch integer("NS.special", of: object) {
        case 1: (name, count, kind) = ("NS.pointval", 2, "a point such as {0, 0}")
        case 2: (name, count, kind) = ("NS.sizeval", 2, "a size such as {1, 1}")
        case 3: (name, count, kind) = ("NS.rectval", 4, "a rectangle such as {{0, 0}, {1, 1}}")
        default: return nil
        }
        guard let field = field(name, of: object), let text = document.text(field.id),
            VectorText.count(ofNumbersIn: text) != count
        else { return nil }
        return problem(name, is: text.quoted, expected: kind, of: object)
    }
}

/// Numbers as ASCII text in data, as colors store their components: `0.5 0.2 1`.
enum NumberList {
    /// Checks that data is a list of numbers, separated by spaces. It may end with NUL.
    ///
    /// - Throws: A fault at the first word that is not a number or is one number too many, or at the end if there are
    ///   too few.
    static func check(_ bytes: ArraySlice<UInt8>, counts: ClosedRange<Int>) throws(PackedFault) {
        let space = UInt8(ascii: " ")
        var rest = bytes
        while rest.last == 0 { rest.removeLast() }
        var count = 0
        while let start = rest.firstIndex(where: { $0 != space }) {
            let word = rest[start...].prefix { $0 != space }
            let offset = start - bytes.startIndex
            guard number(word) != nil else { throw PackedFault(offset: offset, reason: "expected a number") }
            count += 1
            guard count <= counts.upperBound else {
                throw PackedFault(offset: offset, reason: "found more than \(counts.upperBound) numbers")
            }
            rest = rest[word.endIndex...]
        }
        guard count < counts.lowerBound else { return }
        throw PackedFault(
            offset: rest.endIndex - bytes.startIndex,
            reason: "found \(Phrase.count(count, "number")); expected at least \(counts.lowerBound)")
    }

    /// Returns a finite decimal number, or nil for another word.
    static func number(_ word: ArraySlice<UInt8>) -> Double? {
        // `Double` also reads hexadecimal digits and the names of infinity and NaN.
        guard word.count <= longestNumber, word.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else { return nil }
        return Double(String(decoding: word, as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
    }

    /// The maximum length of a number in bytes. Archivers write at most 25.
    private static let longestNumber = 1024
}
