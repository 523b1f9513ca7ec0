extension TextSalvage {
    /// Repairs a text and reads the result.
    ///
    /// - Throws: A problem if nothing can be read, or if the repaired text is not valid.
    static func salvage(_ syntax: Syntax, as format: Format, limits: Limits) throws(Problem)
        -> Salvage
    {
        let text = syntax.text
        let cause: Problem
        do throws(Problem) {
            let document = try read(text, format, limits)
            // The reader of XML accepts text after the root, and zero bytes in strings.
            let damage = document.warnings.first {
                $0.id == "xml.trailing" || $0.id == "xml.character" && text.contains(0)
            }
            guard !Self.isWide(text), let found = damage else { return .sound(text, as: format, document) }
            cause = found
        } catch {
            cause = error
        }
        guard !Self.isWide(text) else { throw .cannotSalvageWideText() }
        var repair = TextSalvage(syntax, limits: limits)
        guard let (bytes, end) = try repair.run() else { throw .nothingToSalvage(cause) }
        let document = try read(bytes, format, limits)
        var salvage = Salvage(bytes, as: format, document, foundCount: document.count)
        salvage.losses = repair.losses.map { $0.loss(in: document) }
        let rest = text[end...]
        let isBlank = rest.allSatisfy { $0 == 0 || $0 == 0x20 || (0x09...0x0D).contains($0) }
        if !isBlank || !rest.isEmpty && !salvage.losses.isEmpty {
            let isFile = (try? read(Array(rest), format, limits)).map { $0.object($0.root).kind.isContainer } ?? false
            let message = isFile ? "a second file follows" : "the text continues after the end of its root"
            salvage.losses.append(SalvageLoss(.value, end..<text.count, at: .unknown, message))
        }
        salvage.foundCount = max(document.count - salvage.lostCount, 0)
        if end < text.count {
            salvage.repairs.append(
                Problem(
                    "salvage.appended",
                    "removed \(Phrase.count(text.count - end, isBlank ? "zero byte" : "byte")) after the end",
                    severity: .info, at: .byte(end)))
        }
        salvage.isProved = salvage.losses.isEmpty && !repair.hasNewMarkup
        return salvage
    }

    private static func isWide(_ text: [UInt8]) -> Bool {
        let marks: [[UInt8]] = [
            [0xFF, 0xFE], [0xFE, 0xFF], [0x3C, 0, 0x3F, 0], [0, 0x3C, 0, 0x3F], [0x3C, 0, 0, 0],
        ]
        return marks.contains { text.starts(with: $0) }
    }

    private static func read(_ text: [UInt8], _ format: Format, _ limits: Limits) throws(Problem)
        -> Document
    {
        let nested = NestedSaveConverter.propertyLists.reading(.commented)
        return try format.definition.read(text, limits: limits, nested: nested).allowing(limits)
    }
}

extension TextSalvage.Loss {
    /// Returns the loss with its address in the repaired document.
    fileprivate func loss(in document: Document) -> SalvageLoss {
        var (id, address) = (document.root, JSONPointer.root)
        for position in path {
            let container = document.object(id)
            guard container.kind.isContainer, position < container.count else {
                return SalvageLoss(kind, range, at: .unknown, message)
            }
            let isDictionary = container.kind == .dictionary
            document.append(
                step: isDictionary ? container.count + position : position, of: container, to: &address)
            id = document.member(position, of: container)
        }
        return SalvageLoss(kind, range, at: .address(address), message)
    }
}
