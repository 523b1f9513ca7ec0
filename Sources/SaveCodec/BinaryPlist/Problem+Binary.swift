/// What can be wrong with a binary property list. Errors first, then warnings.
extension Problem {
    static func notBinary() -> Problem {
        Problem("binary.magic", "the file starts with other bytes than \"bplist0\"", at: .byte(0))
    }

    static func tooShort(_ size: Int) -> Problem {
        Problem(
            "binary.length", "the file has \(size) bytes; the shortest binary property list has 42", at: .byte(size))
    }

    static func zeroSize(_ what: String, at offset: Int) -> Problem {
        Problem("binary.\(what)-size", "the \(what) size is 0; expected 1 to 8 bytes", at: .byte(offset))
    }

    static func objectCount(_ count: UInt64, at offset: Int) -> Problem {
        Problem("binary.object-count", "the trailer counts \(count) objects; expected 1 to 2^63 - 1", at: .byte(offset))
    }

    static func rootOutOfRange(_ root: UInt64, count: UInt64, at offset: Int) -> Problem {
        Problem("binary.root", "the root is object \(root); the file has \(count)", at: .byte(offset))
    }

    static func tableOutOfRange(_ start: UInt64, end: Int, at offset: Int) -> Problem {
        Problem(
            "binary.table-start",
            "the offset table starts at 0x\(Hexadecimal.text(start)); expected 0x09 to 0x\(Hexadecimal.text(UInt64(end - 1)))",
            at: .byte(offset))
    }

    static func tableLength(_ count: UInt64, _ size: Int, found: Int, at offset: Int) -> Problem {
        Problem(
            "binary.table-length",
            "the offset table has \(found) bytes; \(count) objects with offsets of \(size) bytes need another length",
            at: .byte(offset))
    }

    static func sizeTooSmall(_ what: String, _ size: Int, for need: String, at offset: Int) -> Problem {
        Problem("binary.\(what)-size", "the \(what) size is \(size), too small for \(need)", at: .byte(offset))
    }

    static func offsetOutOfRange(_ found: UInt64, entry: Int, _ table: OffsetTable, at offset: Int) -> Problem {
        Problem(
            "binary.offset-range",
            "offset table entry \(entry) is 0x\(Hexadecimal.text(found)); "
                + "expected 0x08 to 0x\(Hexadecimal.text(UInt64(table.start - 1)))",
            at: .byte(offset))
    }

    static func unsound(_ index: Int, _ fault: ObjectMarkerFault, at place: Place, _ address: Address?) -> Problem {
        Problem("binary.object", "object \(index) \(fault)", at: place, address: address)
    }

    static func referenceOutOfRange(
        _ found: Int, _ container: StoredObject, _ position: Int, _ count: Int, at place: Place?, _ address: Address?
    ) -> Problem {
        let object = found < 0 ? "beyond 2^63" : "\(found)"
        return Problem(
            "binary.reference-range",
            "\(container.referenceName(position)) refers to object \(object); the file has \(count)", at: place,
            address: address)
    }

    static func tooManyReferences(at place: Place?) -> Problem {
        Problem(
            "limit.references", "containers overlap and hold far more references than the file has bytes", at: place)
    }

    static func cycle(_ index: Int, at place: Place?, _ address: Address?) -> Problem {
        Problem("binary.cycle", "object \(index) contains itself", at: place, address: address)
    }

    static func containerKey(_ position: Int, _ index: Int, at place: Place?, _ address: Address?) -> Problem {
        Problem(
            "binary.container-key", "dictionary key \(position) is object \(index), a container; expected a string",
            at: place, address: address)
    }
}

extension Problem {
    static func unsoundUnreachable(_ first: Int, _ count: Int, _ place: Place?) -> Problem {
        warning(
            "binary.unsound-object", "object \(first) is damaged, but nothing in the value refers to it", count, place)
    }

    static func highBytes(_ first: Int, _ count: Int, _ place: Place?) -> Problem {
        warning(
            "binary.high-bytes",
            "object \(first) is an ASCII string with bytes above 0x7F, read as ISO-8859-1", count, place)
    }

    static func wideIntegers(_ first: Int, _ count: Int, _ place: Place?) -> Problem {
        warning(
            "binary.wide-integer",
            "object \(first) is an integer of more than 64 bits, of which other readers keep 64", count, place)
    }

    static func nulls(_ first: Int, _ count: Int, _ place: Place?) -> Problem {
        warning("binary.null", "object \(first) is null, which no property-list writer writes", count, place)
    }

    static func nonStringKeys(_ first: Int, _ count: Int, _ place: Place?) -> Problem {
        warning("binary.key-kind", "object \(first) is a dictionary with a key that is no string", count, place)
    }

    static func overlap(_ first: Int, _ count: Int, _ place: Place?) -> Problem {
        warning("binary.overlap", "object \(first) starts within another object", count, place)
    }

    static func unusualSize(_ what: String, _ size: Int, at offset: Int) -> Problem {
        warning("binary.\(what)-size", "the \(what) size is \(size); other readers take 1 to 8", 1, .byte(offset))
    }

    private static func warning(_ id: String, _ sentence: String, _ count: Int, _ place: Place?) -> Problem {
        let rest = count > 1 ? " (and so \(count - 1) more)" : ""
        return Problem(id, sentence + rest, severity: .warning, at: place)
    }
}

extension StoredObject {
    /// A reference of this container in words: `dictionary key 3`.
    fileprivate func referenceName(_ position: Int) -> String {
        switch kind {
        case .dictionary: position < count ? "dictionary key \(position)" : "dictionary value \(position - count)"
        case .set: "set element \(position)"
        default: "array element \(position)"
        }
    }
}
