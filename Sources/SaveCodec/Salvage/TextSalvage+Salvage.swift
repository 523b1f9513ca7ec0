extension TextSalvage {
    /// Repairs a text and reads the result.
    ///
    /// - Parameters:
    ///   - declared: The encoding that the text declares.
    ///   - syntax: Returns the syntax of the decoded text.
    /// - Throws: A problem if nothing can be read, or if the repaired text is not valid.
    static func salvage(
        _ file: [UInt8], as format: Format, declared: TextEncoding = .utf8, limits: Limits,
        _ syntax: (DamagedText) -> Syntax
    ) throws(Problem) -> Salvage {
        var source: DamagedText
        let cause: Problem
        /// The file as its reader reads it in spite of zero bytes and ignored text; nil if the file has other damage.
        var readable: Salvage?
        /// The evidence of damage in a file that its reader accepts, or nil.
        var contradiction: Problem?
        do throws(Problem) {
            let document = try read(file, as: format, limits)
            let warnings = document.warnings.filter { signsOfDamage.contains($0.id) }
            contradiction = malformedMarkup(in: file, declared, syntax)
            guard !warnings.isEmpty || contradiction != nil else { return .sound(file, as: format, document) }
            source = DamagedText(file, declared: declared)
            // Readers accept text after the root, and zero bytes in strings.
            let found = contradiction ?? warnings.first { $0.id != "xml.character" || source.bytes.contains(0) }
            guard let found else { return .sound(file, as: format, document) }
            let ignored = warnings.first { $0.id == "openstep.ignored-text" }
            cause = ignored ?? found
            let harmless = ["openstep.ignored-text", "openstep.zero"]
            if contradiction == nil, warnings.allSatisfy({ harmless.contains($0.id) }) {
                var salvage = Salvage.sound(file, as: format, document)
                salvage.doubtZeros()
                guard ignored != nil else { return salvage }
                (readable, contradiction, source.allowsZeros) = (salvage, cause, true)
            }
        } catch {
            if let salvage = undoingChangedBit(file, after: error, as: format, limits) { return salvage }
            cause = error
            source = DamagedText(file, declared: declared)
        }
        if case .utf16(bigEndian: let isBigEndian) = source.stored.encoding,
            let salvage = undoingLineEnds(
                file, isBigEndian: isBigEndian, as: format, isRecoded: syntax(source).isAlwaysUTF8, limits)
        {
            return salvage
        }
        var repair = TextSalvage(syntax(source), limits: limits)
        guard let (text, end) = try repair.run() else {
            if let readable { return readable }
            throw .nothingToSalvage(cause)
        }
        let offset = source.fileOffsets(of: [end])[0]
        let bytes = repair.recodes(source) ? text : encoded(text, source, to: end, of: file[..<offset])
        // A single word can look like the beginning of a file of another format.
        guard let found = Format.detected(in: bytes), found.has(.text) else { throw .nothingToSalvage(cause) }
        let document = try read(bytes, as: format, limits)
        var salvage = Salvage(bytes, as: format, document, foundCount: document.count)
        salvage.contradiction = contradiction
        salvage.isLostCountUnknown = repair.losses.mayHideMembers
        salvage.losses = repair.losses.all.map { $0.loss(in: document) }
        // Ignored text is damage only if pairs follow it.
        if let readable, document.valueCount - salvage.placeholderCount <= readable.foundCount { return readable }
        repair.complete(&salvage, of: file, source, from: end, at: offset)
        guard !salvage.isFragment(source.bytes.count - end > end) else { throw .nothingToSalvage(cause) }
        return salvage
    }

    /// The warnings of readers that may be signs of damage.
    private static var signsOfDamage: [String] {
        ["xml.trailing", "xml.character", "openstep.comment", "openstep.ignored-text", "openstep.zero"]
    }

    /// Returns a repaired text in the encoding of its file, as the bytes of the file if no repair changed it.
    private static func encoded(
        _ text: [UInt8], _ source: DamagedText, to end: Int, of file: ArraySlice<UInt8>
    ) -> [UInt8] {
        let isUnchanged = text.elementsEqual(source.bytes[..<end]) && !source.hasReplacement(in: 0..<end)
        return isUnchanged ? Array(file) : source.encode(text)
    }

    /// The number of bytes at the beginning of a file that its reader accepts in which markup is checked.
    private static var mostMarkup: Int { 1 << 12 }

    /// Returns a problem if markup at the beginning of a file is not well-formed, although its reader accepts it.
    private static func malformedMarkup(
        in file: [UInt8], _ declared: TextEncoding, _ syntax: (DamagedText) -> Syntax
    ) -> Problem? {
        var syntax = syntax(DamagedText(Array(file.prefix(mostMarkup)), declared: declared))
        guard let offset = syntax.malformedMarkup() else { return nil }
        return Problem(
            "salvage.markup", "other readers of XML refuse this tag, because it is not well-formed",
            at: .byte(syntax.source.fileOffsets(of: [offset])[0]))
    }

    /// Whether the salvage is written in UTF-8 instead of the encoding of the file. The reader of JSON refuses other
    /// encodings.
    private func recodes(_ source: DamagedText) -> Bool {
        syntax.isAlwaysUTF8 && source.stored.encoding != .utf8
    }

    /// Adds further doubts, what follows the root, the repairs, and whether they prove the result.
    ///
    /// - Parameters:
    ///   - end: The end of the root in the decoded text.
    ///   - offset: The end of the root in the file.
    private func complete(
        _ salvage: inout Salvage, of file: [UInt8], _ source: DamagedText, from end: Int, at offset: Int
    ) {
        if !salvage.losses.isEmpty { salvage.doubtDuplicateKeys() }
        salvage.doubtZeros()
        // The last byte of wide text may be half of a character.
        let isBlank = file[offset...].allSatisfy { $0 == 0 || $0.isSpace }
        let hasRest = end < source.bytes.count
        if !isBlank || hasRest && !salvage.losses.isEmpty { addRest(of: file, source, from: end, to: &salvage) }
        salvage.foundCount = max(salvage.document.valueCount - salvage.placeholderCount, 0)
        salvage.translateRanges(source)
        salvage.repairs = [
            source.hasReplacement(in: 0..<end) ? source.replacementRepair : nil,
            recodes(source) ? .salvagedEncoding : nil,
            hasNewMarkup ? .salvagedMarkup : nil,
            hasRest ? .salvagedEnd(file[offset...], at: offset) : nil,
        ].compactMap(\.self)
        salvage.isProved =
            salvage.losses.isEmpty && !hasNewMarkup && !source.hasReplacement(in: 0..<end)
            && salvage.secondFile == nil
    }

    /// Reports what follows the root: a second file, or text that was appended or has overwritten members. Such text is
    /// no lost value, unless the root is a scalar, which may be only the beginning of the save.
    ///
    /// - Parameter end: The end of the root in the decoded text.
    private func addRest(of file: [UInt8], _ source: DamagedText, from end: Int, to salvage: inout Salvage) {
        if let second = UnreadableFile.secondFile(in: source.bytes, from: end, work.limits) {
            salvage.secondFile = source.fileOffsets(of: [second.lowerBound])[0]..<file.count
            return
        }
        let range = end..<source.bytes.count
        let overwritten = "the text after its end may have overwritten members"
        salvage.losses.append(
            salvage.hasContainerAsRoot
                ? SalvageLoss(.doubtful, range, at: .address(.root), overwritten)
                : SalvageLoss(.value, range, at: .unknown, "the text continues after the end of its root"))
    }

    /// Returns the file with a changed bit changed back; nil unless only one bit near the damage makes the file valid.
    ///
    /// Nothing proves that no other byte was changed, so the value with the bit is doubtful.
    private static func undoingChangedBit(
        _ file: [UInt8], after error: Problem, as format: Format, _ limits: Limits
    ) -> Salvage? {
        let mark = TextEncoding.marked(in: file)
        guard mark?.encoding ?? .utf8 == .utf8, case let found = error.diagnosed(in: file, limits),
            found.id == "damage.byte", let byte = UnreadableFile(file, error, limits).changedByte(),
            found.location == .byte(byte.offset), byte.values.count == 1, isPunctuation(byte.values[0], in: format)
        else { return nil }
        var bytes = file
        bytes[byte.offset] = byte.values[0]
        guard let (document, map) = try? Document.readMapped(bytes, as: format, limits: limits) else { return nil }
        let address = map?.address(of: byte.offset - (mark?.markLength ?? 0), in: document) ?? .root
        let (before, after) = (UnreadableFile.named(file[byte.offset]), UnreadableFile.named(byte.values[0]))
        var salvage = Salvage(bytes, as: format, document, foundCount: document.valueCount)
        salvage.losses = [
            SalvageLoss(
                .doubtful, byte.offset..<byte.offset + 1, at: .address(address),
                "the byte \(before) became \(after): no other change of one bit near the damage makes the file valid")
        ]
        return salvage
    }

    /// Whether a byte is a part of the syntax. A letter of a name or white space would be a guess.
    private static func isPunctuation(_ byte: UInt8, in format: Format) -> Bool {
        let isLetter = Unicode.Scalar(byte).properties.isAlphabetic
        return byte > 0x20 && (format.has(.markup) || !isLetter && !(0x30...0x39).contains(byte))
    }

    /// Returns the file before a conversion of its line ends that inserted single bytes between wide characters, or nil
    /// if that does not make it readable.
    ///
    /// - Parameter isRecoded: Whether the reader of the format accepts only UTF-8.
    private static func undoingLineEnds(
        _ file: [UInt8], isBigEndian: Bool, as format: Format, isRecoded: Bool, _ limits: Limits
    ) -> Salvage? {
        let lines = LineFeeds(of: file)
        // U+0D0A has the bytes of a line end, too. Each LF must be a character of its own.
        let areCharacters = lines.feeds.allSatisfy { feed in
            let other = isBigEndian ? feed - 1 : feed + 1
            return (feed % 2 == 1) == isBigEndian && lines.bytes.indices.contains(other) && lines.bytes[other] == 0
        }
        guard lines.areConverted, areCharacters, let first = lines.feeds.first else { return nil }
        var bytes = lines.bytes
        if isRecoded {
            let text = DamagedText(bytes)
            guard text.replacements.isEmpty else { return nil }
            bytes = text.bytes
        }
        guard let document = try? read(bytes, as: format, limits) else { return nil }
        var salvage = Salvage.sound(bytes, as: format, document)
        salvage.repairs = [.undoneLineEnds(lines.feeds.count, at: first)] + (isRecoded ? [.salvagedEncoding] : [])
        return salvage
    }

    private static func read(_ text: [UInt8], as format: Format, _ limits: Limits) throws(Problem)
        -> Document
    {
        let nested = NestedSaveConverter.propertyLists.reading(.commented)
        return try format.definition.read(text, limits: limits, nested: nested).allowing(limits)
    }
}

extension TextLosses.Loss {
    /// Returns the loss with its address in the repaired document.
    fileprivate func loss(in document: Document) -> SalvageLoss {
        var (id, address) = (document.root, JSONPointer.root)
        guard let path else {
            var loss = SalvageLoss(kind, range, at: .unknown, message, count: count)
            loss.keyCount = keyCount
            return loss
        }
        for position in path {
            let container = document.object(id)
            // A JSON tag is read as one value without members, so the loss is reported for the whole of it.
            guard container.kind.isContainer, position < container.count else { break }
            let isDictionary = container.kind == .dictionary
            document.append(
                step: isDictionary ? container.count + position : position, of: container, to: &address)
            id = document.member(position, of: container)
        }
        var loss = SalvageLoss(kind, range, at: .address(address), message, count: count)
        // Only if the text is cut off can further members be missing at the end of the container.
        loss.isOpen = kind == .missing || message == Self.cutMessage
        return loss
    }
}

extension Salvage {
    /// Whether the result is a scalar, and not the save, because the text continues after it.
    ///
    /// - Parameter hasLongRest: Whether more than half of the text is after the scalar.
    fileprivate func isFragment(_ hasLongRest: Bool) -> Bool {
        hasLongRest && !losses.isEmpty && !hasContainerAsRoot
    }

    fileprivate var hasContainerAsRoot: Bool { document.object(document.root).kind.isContainer }

    /// The number of values in whose place a placeholder is.
    fileprivate var placeholderCount: Int { losses.reduce(0) { $0 + ($1.isInPlace ? $1.count : 0) } }

    /// Doubts the strings of an OpenStep text in which the reader found zero bytes. Zero bytes in comments are no damage.
    /// At most a thousand strings are listed.
    fileprivate mutating func doubtZeros() {
        guard let warning = document.warnings.first(where: { $0.id == "openstep.zero" }) else { return }
        let count = losses.count
        func hasZero(_ string: StoredObject) -> Bool {
            string.kind.isString && (0..<string.count).contains { document.codeUnit($0, of: string) == 0 }
        }
        func doubt(_ address: JSONPointer) {
            guard losses.count < count + 1000 else { return }
            losses.append(
                SalvageLoss(.doubtful, nil, at: .address(address), "zero bytes may have replaced other text"))
        }
        if hasZero(document.object(document.root)) { doubt(.root) }
        var walk = DocumentWalk(document)
        while let visit = walk.next() {
            guard visit.object.kind.isContainer else { continue }
            let isDictionary = visit.object.kind == .dictionary
            for position in 0..<visit.object.count {
                let key = isDictionary ? document.object(document.key(position, of: visit.object)) : nil
                let value = document.object(document.member(position, of: visit.object))
                guard hasZero(value) || key.map(hasZero) ?? false else { continue }
                var address = walk.address
                document.append(
                    step: isDictionary ? visit.object.count + position : position, of: visit.object, to: &address)
                doubt(address)
            }
        }
        guard losses.count > count else { return }
        (isProved, contradiction) = (false, contradiction ?? warning)
    }

    /// Doubts each dictionary with a duplicate key, because members of another one may follow damage or a moved block.
    fileprivate mutating func doubtDuplicateKeys() {
        for problem in document.keyProblems() where problem.id == "document.repeated-key" {
            guard var address = problem.address else { continue }
            address.removeLast()
            losses.append(
                SalvageLoss(
                    .doubtful, nil, at: .address(address),
                    "\(problem.message); some of the members may belong to another dictionary"))
        }
    }

    /// Replaces ranges in a decoded text by ranges in its file.
    fileprivate mutating func translateRanges(_ source: DamagedText) {
        let ranges = losses.compactMap(\.range)
        let offsets = Set(ranges.map(\.lowerBound) + ranges.map(\.upperBound)).sorted()
        let translated = Dictionary(
            zip(offsets, source.fileOffsets(of: offsets)), uniquingKeysWith: { first, _ in first })
        for index in losses.indices {
            guard let range = losses[index].range, let start = translated[range.lowerBound],
                let end = translated[range.upperBound]
            else { continue }
            losses[index].range = start..<max(start, end)
        }
    }
}

extension SourceMap {
    /// Returns the address of the innermost value whose text, or whose key, includes an offset.
    fileprivate func address(of offset: Int, in document: Document) -> JSONPointer {
        var (id, address) = (document.root, JSONPointer.root)
        while case let container = document.object(id), container.kind.isContainer {
            let isDictionary = container.kind == .dictionary
            let position = (0..<container.count).first {
                value($0, of: id).contains(offset) || isDictionary && key($0, of: id).contains(offset)
            }
            guard let position else { break }
            document.append(step: isDictionary ? container.count + position : position, of: container, to: &address)
            id = document.member(position, of: container)
        }
        return address
    }
}

extension SalvageLoss {
    /// Whether a placeholder is in the place of a value.
    fileprivate var isInPlace: Bool {
        switch (kind, place) {
        case (.value, .address), (.missing, .address): true
        default: false
        }
    }
}

extension DamagedText {
    /// The repair of bytes that are not text, or nil.
    fileprivate var replacementRepair: Problem? {
        guard let first = replacements.first else { return nil }
        let noun = stored.encoding.isWide ? "character" : "byte"
        let (count, verb) = (Phrase.count(replacements.count, noun, "is"), Phrase.verb("was", for: replacements.count))
        return Problem(
            "salvage.encoding", "\(count) not text and \(verb) read as U+FFFD", severity: .info,
            at: .byte(fileOffsets(of: [first])[0]))
    }
}

extension Problem {
    fileprivate static var salvagedEncoding: Problem {
        Problem("salvage.encoding", "converted to UTF-8", severity: .info, at: .byte(0))
    }

    fileprivate static var salvagedMarkup: Problem {
        Problem("salvage.markup", "damaged or missing markup around the root was restored", severity: .info)
    }

    fileprivate static func salvagedEnd(_ rest: ArraySlice<UInt8>, at offset: Int) -> Problem {
        let unit = rest.allSatisfy { $0 == 0 } ? "zero byte" : "byte"
        return Problem(
            "salvage.appended", "removed \(Phrase.count(rest.count, unit)) after the end", severity: .info,
            at: .byte(offset))
    }
}
