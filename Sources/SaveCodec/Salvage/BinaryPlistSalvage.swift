/// Repairs damaged binary property lists (see <doc:BinaryFormat>).
///
///     conversion undone, bytes removed ─▶ the reader accepts it, all objects adjoin ──────────────▶ exact
///     trailer or table rebuilt from the objects ─▶ the same ──────────────────────────────────────▶ exact
///     objects at the offsets of the table, judged by their neighbours ─▶ references checked ──────▶ partial
///     objects one after another from the first, without a table ────▶ references checked ───────▶ partial
enum BinaryPlistSalvage {
    /// Whether bytes whose beginning is damaged are probably a binary property list.
    static func resembles(_ bytes: [UInt8]) -> Bool {
        BinaryPlist.begins(bytes[...]) || Trailer.fits(bytes, endingAt: bytes.count)
            || UndoneConversion.candidates(for: bytes).contains { BinaryPlist.begins($0.bytes[...]) }
            || missingBeginning(of: bytes) != nil
    }

    /// Returns the number of bytes that are missing at the beginning of a binary property list: its trailer states a
    /// larger size than the file has. Nil if none are missing.
    static func missingBeginning(of bytes: [UInt8]) -> Int? {
        guard bytes.count > 42, !BinaryPlist.begins(bytes[...]), case let trailer = Trailer(of: bytes),
            let missing = trailer.missingSize(in: bytes.count), missing > 0, trailer.objectCount > 1,
            trailer.unused.allSatisfy({ $0 == 0 })
        else { return nil }
        let start = Int(trailer.tableStart) - missing
        var previous: UInt64 = 7
        for position in 0..<Int(trailer.objectCount) {
            let entry = start + position * trailer.offsetSize
            let offset = bytes.bigEndian(at: entry, width: trailer.offsetSize)
            guard offset > previous, offset < trailer.tableStart else { return nil }
            previous = offset
        }
        return missing
    }

    static func salvage(_ bytes: [UInt8], limits: Limits) throws(Problem) -> Salvage {
        if let salvage = try restoringBeginning(of: bytes, limits) { return salvage }
        // Repairs read the objects in several ways. No way finds many more objects than this one.
        if bytes.count > limits.maxValueCount(of: bytes.count) { try ObjectSequence.checkCount(in: bytes, limits) }
        if let problem = UnreadableFile.strippedBits(in: bytes) { throw .nothingToSalvage(problem) }
        let problem: Problem
        var isReadable = false
        do throws(Problem) {
            let document = try BinaryPlist.read(bytes, limits: limits)
            guard let found = damage(of: document) else { return .sound(bytes, as: .binary, document) }
            (problem, isReadable) = (found, true)
        } catch {
            problem = error
        }
        if let salvage = withoutAppendedBytes(bytes, limits) { return salvage }
        let replaced = ReplacedLineEnds(in: bytes)
        if replaced == nil, let salvage = rebuilt(bytes, limits) ?? restoringReference(in: bytes, limits) {
            guard let replaced = ReplacedLineEnds(in: bytes, restoredAs: salvage.bytes) else { return salvage }
            return try partial(salvage.bytes, after: problem, limits, replaced)
        }
        let conversions = UndoneConversion.candidates(for: bytes).filter {
            $0.bytes.starts(with: "bplist0".utf8) && !isWhole(bytes)
        }
        for conversion in conversions {
            guard var salvage = exact(conversion.bytes, limits) else { continue }
            salvage.repairs = conversion.repairs + salvage.repairs
            return salvage
        }
        if let restored = GenuineLineEnds.restored(bytes), var salvage = accepted(restored, limits) {
            let first = firstDifference(bytes, restored)
            salvage.repairs.append(.undoneLineEnds(bytes.count - restored.count, at: first))
            return salvage
        }
        // If the file has other damage as well, a conversion is undone only if the trailer makes sense afterwards.
        if let conversion = conversions.last(where: { isWhole($0.bytes) }) {
            var salvage = try partial(conversion.bytes, after: problem, limits)
            if isReadable { salvage.contradiction = problem }
            salvage.repairs = conversion.repairs + salvage.repairs
            salvage.losses = salvage.losses.map { loss in
                var loss = loss
                // Offsets would be those after the conversion was undone.
                loss.range = nil
                return loss
            }
            return salvage
        }
        var salvage = try partial(bytes, after: problem, limits, replaced)
        if isReadable, replaced == nil { salvage.contradiction = problem }
        return salvage
    }

    /// Returns the salvage of a file that lacks its beginning, or nil for another file. The bytes of the header are
    /// known.
    private static func restoringBeginning(of bytes: [UInt8], _ limits: Limits) throws(Problem) -> Salvage? {
        guard let count = missingBeginning(of: bytes), count <= bytes.count else { return nil }
        let header = Array("bplist00".utf8.prefix(count))
        let whole = header + [UInt8](repeating: 0, count: count - header.count) + bytes
        if count <= header.count, var salvage = accepted(whole, limits) {
            salvage.repairs.append(RestoredBeginning.repair(count))
            return salvage
        }
        let missing = RestoredBeginning.problem(count, of: "a binary property list")
        var salvage = try partial(whole, after: missing, limits)
        salvage.moveRanges(by: -count)
        return salvage
    }

    private static func isWhole(_ bytes: [UInt8]) -> Bool { Trailer.fits(bytes, endingAt: bytes.count) }

    /// Returns the evidence of damage in a readable file, or nil.
    private static func damage(of document: Document) -> Problem? {
        if let found = document.warnings.first(where: { $0.kind.isOf(.damage) }) {
            return Problem(found.kind, found.message, at: found.location)
        }
        return contradiction(in: document)
    }

    private static func extent(_ document: Document) -> Problem {
        Problem(
            "salvage.extent", "the offset table contradicts the sizes of some objects", at: .byte(document.table.start))
    }

    private static func root(_ document: Document) -> Problem {
        Problem(
            "salvage.root", "object \(document.root.index) is not the root: other objects are outside it",
            at: document.offset(of: document.root).map { .byte($0) })
    }

    /// Returns the evidence that a readable file contradicts itself: a few objects do not end where the next one
    /// begins, a few references break the order of the others, or objects refer to the root.
    private static func contradiction(in document: Document) -> Problem? {
        let table = document.table
        var layout = DamagedLayout(
            objectsEnd: table.start, offsetSize: table.offsetSize, referenceSize: table.referenceSize, entries: [])
        layout.entries = (0..<table.count).map { document.offset(of: ObjectID($0)) ?? -1 }
        let order = layout.fileOrder(in: document.image)
        var unconfirmed = zip(order, layout.isConfirmed(document.image, order, shift: 0)).filter { !$0.1 }.map(\.0)
        if !unconfirmed.isEmpty {
            // Objects that adjoin prove the table even if they are not in the order of their numbers.
            layout.isPermuted = true
            if layout.isGapless(document.image) { unconfirmed = [] }
        }
        let missing = unconfirmed.count
        // Zeros read as null, but null takes a single byte.
        let isOverwritten = unconfirmed.contains { index in
            let entry = layout.entries[index]
            return entry >= 0 && document.image[entry] == ObjectMarker.null
        }
        if missing > 0, missing * 4 <= table.count || isOverwritten { return extent(document) }
        // The objects of a small file may be the only evidence against the table.
        if missing > 0, let sequence = ObjectSequence.proved(in: document.image) {
            return sequence.starts != layout.entries.sorted() ? extent(document) : nil
        }
        let objects = (0..<table.count).map { document.checkedObject(ObjectID($0)) }
        let root = document.root.index
        // A scalar contains no other objects. One that cannot be read may have been a container.
        if objects[root]?.kind.isContainer == false,
            objects.contains(where: { $0.map { $0.kind.isContainer } ?? (missing > 0) })
        {
            return self.root(document)
        }
        if missing > 0, layout.isContradictory(document.image) { return extent(document) }
        let isOverlapping = RecoveredObjects.areOverlapping(
            objects.lazy.compactMap(\.self), referenceSize: table.referenceSize, in: document.image)
        if isOverlapping { return nil }
        return wrongReference(in: document, objects, isGapless: missing == 0)
    }

    /// Returns the evidence that a reference in a readable file is wrong: it breaks the order of the others, or
    /// nothing refers to some object.
    private static func wrongReference(
        in document: Document, _ objects: [StoredObject?], isGapless: Bool
    ) -> Problem? {
        let (bytes, size, root) = (document.image, document.table.referenceSize, document.root.index)
        func problem(_ message: String, in container: Int, at position: Int?) -> Problem {
            let start = position.flatMap { position in objects[container].map { $0.start + position * size } }
            return Problem(
                "salvage.reference", message,
                at: (start ?? document.offset(of: ObjectID(container))).map { .byte($0) })
        }
        if isGapless,
            let first = ReferenceOrder.contradictions(in: bytes, objects, referenceSize: size, root: root).first
        {
            let message = "a reference in object \(first.container) contradicts the order of the objects"
            return problem(message, in: first.container, at: first.position)
        }
        let search = RootSearch(in: bytes, objects, referenceSize: size, stated: root)
        if search.root == root, let (number, _) = search.leftOut {
            return Problem(
                "salvage.root", "the root leaves out object \(number), which contains more than twice as many objects",
                at: document.offset(of: ObjectID(number)).map { .byte($0) })
        }
        guard search.root == root else { return self.root(document) }
        let faults = ReferenceFaults(in: bytes, objects, referenceSize: size, root: root)
        guard faults.areEvidence else { return nil }
        return faults.orphans.first.map { number in
            let others = Phrase.others(of: faults.orphans.count)
            return problem("nothing refers to object \(number)\(others)", in: number, at: nil)
        }
    }

    // MARK: Exact repairs

    /// Returns the file without appended bytes, or with a rebuilt trailer or table, if its structure proves the result.
    private static func exact(_ bytes: [UInt8], _ limits: Limits) -> Salvage? {
        withoutAppendedBytes(bytes, limits) ?? rebuilt(bytes, limits)
    }

    private static func withoutAppendedBytes(_ bytes: [UInt8], _ limits: Limits) -> Salvage? {
        if let end = Trailer.end(in: bytes) {
            if var salvage = accepted(Array(bytes[..<end]), limits) {
                guard end < bytes.count else { return salvage }
                salvage.secondFile = UnreadableFile.secondFile(in: bytes, from: end, limits)
                let count = bytes.count - end
                return salvage.adding(
                    count == 1
                        ? "1 byte after the end was removed"
                        : "\(CountText.of(count)) bytes after the end were removed",
                    as: "salvage.appended", at: end)
            }
        }
        return nil
    }

    /// Returns the file as a salvage without damage; nil if the reader refuses it or finds evidence of damage.
    private static func accepted(_ bytes: [UInt8], _ limits: Limits) -> Salvage? {
        guard let document = try? BinaryPlist.read(bytes, limits: limits), damage(of: document) == nil else {
            return nil
        }
        return .sound(bytes, as: .binary, document)
    }

    /// Returns the file with a table and a trailer rebuilt from its objects; nil if the bytes after the objects do not
    /// prove that the objects are complete.
    private static func rebuilt(_ bytes: [UInt8], _ limits: Limits) -> Salvage? {
        guard let scan = ObjectSequence.proved(in: bytes), let root = root(of: scan, bytes) else { return nil }
        let end = scan.objectsEnd
        let trailer = bytes.count >= end + Trailer.size ? Trailer(of: bytes) : nil
        let isUsable = trailer.map { (1...8).contains($0.offsetSize) && end < 1 << min(8 * $0.offsetSize, 62) } ?? false
        let offsetSize = scan.offsetSize ?? (isUsable ? trailer?.offsetSize : nil) ?? BinaryPlistWriter.size(for: end)
        var output = ByteWriter()
        output.write("bplist0")
        output.write(bytes.starts(with: "bplist0".utf8) ? bytes[7] : UInt8(ascii: "0"))
        output.write(bytes, in: 8..<end)
        output.writeBigEndian(scan.starts.count, width: offsetSize) { scan.starts[$0] }
        Trailer(
            offsetSize: offsetSize, referenceSize: scan.referenceSize, objectCount: UInt64(scan.starts.count),
            root: UInt64(root), tableStart: UInt64(end)
        ).write(to: &output)
        let restored = output.takeBytes()
        guard isOneDamage(bytes, restored), !hasReplacements(bytes, in: 8..<end),
            !isAmbiguous(scan, in: bytes, offsetSize: offsetSize),
            !isTableInLastObject(of: scan, in: bytes, offsetSize: offsetSize),
            !isTablePlausible(after: scan, in: bytes, offsetSize: offsetSize, root: root),
            var salvage = accepted(restored, limits)
        else { return nil }
        if isTouched(salvage.document) {
            // A string may be damaged, too, but no other bytes fit in the trailer.
            guard bytes.count == restored.count, bytes.dropLast(Trailer.size) == restored.dropLast(Trailer.size) else {
                return nil
            }
            salvage.doubtOddStrings()
        }
        let missing = restored.count - bytes.count
        if bytes.prefix(8) != restored.prefix(8) {
            salvage = salvage.adding("the header was restored", as: "salvage.header", at: 0)
        }
        if bytes.dropFirst(8) == restored.dropFirst(8) { return salvage }
        return salvage.adding(
            missing > 0
                ? "the missing \(missing == 1 ? "byte at the end was" : "\(CountText.of(missing)) bytes at the end were") rebuilt from the objects"
                : "the offset table and the trailer were rebuilt from the objects",
            as: "salvage.trailer", at: firstDifference(bytes, restored))
    }

    /// Returns the file with a restored reference in the root of an archive; nil unless a single changed bit explains
    /// all damage.
    private static func restoringReference(in bytes: [UInt8], _ limits: Limits) -> Salvage? {
        guard let layout = DamagedLayout(trailerOf: bytes), layout.isGapless(bytes), let root = layout.root else {
            return nil
        }
        let (objects, size) = (layout.entries.map { layout.object(of: bytes, at: $0) }, layout.referenceSize)
        let search = RootSearch(in: bytes, objects, referenceSize: size, stated: root)
        let orphans = objects.indices.filter {
            $0 != root && objects[$0]?.kind.isContainer == true && !search.isReferenced($0)
        }
        let references = EnvelopeReferences(in: bytes, objects, referenceSize: size, root: root, orphans: orphans)
        guard orphans.count == 1, references.damaged.count == 1, let object = objects[root] else { return nil }
        let (reference, start) = (references.damaged[0], object.start + references.damaged[0].position * size)
        var restored = bytes
        for index in 0..<size {
            restored[start + index] = UInt8(
                truncatingIfNeeded: UInt64(reference.target) >> UInt64(8 * (size - 1 - index)))
        }
        let bits = (start..<start + size).reduce(0) { $0 + (bytes[$1] ^ restored[$1]).nonzeroBitCount }
        guard bits == 1, let salvage = accepted(restored, limits), !isTouched(salvage.document) else { return nil }
        return salvage.adding(
            "a changed bit in the reference to \(reference.key) was changed back", as: "salvage.reference",
            at: firstDifference(bytes, restored))
    }

    /// Returns the root that the references prove or, failing that, the one that the trailer states; nil if neither is
    /// certain.
    private static func root(of scan: ObjectSequence, _ bytes: [UInt8]) -> Int? {
        let objects = scan.storedObjects
        let proved = RootSearch(in: bytes, objects, referenceSize: scan.referenceSize, stated: nil)
        if !proved.isDoubtful, !isContradicted(proved.root, by: scan, of: bytes) { return proved.root }
        guard bytes.count == scan.sizeOfFile else { return nil }
        let trailer = Trailer(of: bytes)
        guard trailer.objectCount == UInt64(objects.count), trailer.root < trailer.objectCount else { return nil }
        let stated = RootSearch(
            in: bytes, objects, referenceSize: scan.referenceSize, stated: Int(trailer.root))
        return stated.isDoubtful ? nil : stated.root
    }

    /// Whether the trailer states another root to which nothing refers. Then a reference is damaged rather than the
    /// trailer.
    private static func isContradicted(_ root: Int, by scan: ObjectSequence, of bytes: [UInt8]) -> Bool {
        guard bytes.count == scan.sizeOfFile else { return false }
        let trailer = Trailer(of: bytes)
        guard trailer.objectCount == UInt64(scan.starts.count), trailer.root < trailer.objectCount,
            trailer.root != UInt64(root)
        else { return false }
        let search = RootSearch(
            in: bytes, scan.storedObjects, referenceSize: scan.referenceSize, stated: Int(trailer.root))
        return search.root != root
    }

    /// Whether offsets in the table differ from the objects, but objects may be damaged instead, or are not numbered in
    /// file order:
    ///
    /// * The damage begins with the first offset, and may have begun in the last object. If one bit of that offset
    ///   changed, only the table is damaged.
    /// * Several offsets are in order.
    /// * Offsets lead to each other's objects.
    /// * Only two are wrong, and the two objects may have been stored in either order.
    private static func isTablePlausible(
        after scan: ObjectSequence, in bytes: [UInt8], offsetSize: Int, root: Int
    ) -> Bool {
        let (end, starts) = (scan.objectsEnd, scan.starts)
        let tableEnd = end + starts.count * offsetSize
        guard tableEnd <= bytes.count, let first = starts.first else { return false }
        let layout = DamagedLayout(
            objectsEnd: end, offsetSize: offsetSize, referenceSize: scan.referenceSize,
            entries: starts.indices.map {
                Int(clamping: bytes.bigEndian(at: end + $0 * offsetSize, width: offsetSize))
            }, root: root)
        let wrong = zip(layout.entries, starts).count { $0 != $1 }
        guard wrong > 1 else { return (layout.entries[0] ^ first).nonzeroBitCount > 1 }
        return layout.entries[0] != first || !layout.plausible(beside: starts).isEmpty
            || !layout.exchangeable(starts, in: bytes).isEmpty
            || bytes.count == tableEnd + Trailer.size && layout.permuted(starts) != nil
    }

    /// Whether the trailer says that the offset table begins inside the last object. Then the trailer may be right, and
    /// bytes may have been inserted before the table.
    private static func isTableInLastObject(of scan: ObjectSequence, in bytes: [UInt8], offsetSize: Int) -> Bool {
        guard let last = scan.starts.last,
            bytes.count == scan.objectsEnd + scan.starts.count * offsetSize + Trailer.size
        else { return false }
        let start = Trailer(of: bytes).tableStart
        return start > UInt64(last) && start < UInt64(scan.objectsEnd)
    }

    /// Whether an entry of the original table differs from the rebuilt one, but also leads to an object with the right
    /// end. Then the entry may be right, and the size of the previous object wrong.
    private static func isAmbiguous(_ scan: ObjectSequence, in bytes: [UInt8], offsetSize: Int) -> Bool {
        let (count, end) = (scan.starts.count, scan.objectsEnd)
        // If bytes were inserted into the table, its entries have moved.
        guard bytes.count == end + count * offsetSize + Trailer.size else { return false }
        let table = OffsetTable(start: end, count: count, offsetSize: offsetSize, referenceSize: scan.referenceSize)
        return scan.starts.indices.contains { index in
            let entry = bytes.bigEndian(at: end + index * offsetSize, width: offsetSize)
            guard entry >= 8, entry < UInt64(end), entry != UInt64(scan.starts[index]) else { return false }
            let next = index + 1 < count ? scan.starts[index + 1] : end
            return ObjectMarker.object(in: bytes, at: Int(entry), table: table)?.end(in: table) == next
        }
    }

    /// Whether two files differ in a single stretch, so that one damage explains all differences. In files of equal
    /// size, the stretch is at most as long as a trailer.
    ///
    /// Differences in several places suggest that objects were changed, too, which nothing would reveal.
    private static func isOneDamage(_ damaged: [UInt8], _ restored: [UInt8]) -> Bool {
        let first = firstDifference(damaged, restored)
        let last = firstDifference(damaged.reversed(), restored.reversed())
        guard damaged.count == restored.count else { return first + last >= min(damaged.count, restored.count) }
        return damaged.count - first - last <= Trailer.size
    }

    /// Whether the bytes are valid UTF-8 with U+FFFD, which a conversion to UTF-8 writes in place of bytes that it
    /// loses.
    private static func hasReplacements(_ bytes: [UInt8], in range: Range<Int>) -> Bool {
        guard UTF8Text.firstInvalid(in: bytes.span.extracting(range)) == nil else { return false }
        return range.contains { bytes[$0] == 0xEF && bytes[$0...].starts(with: [0xEF, 0xBF, 0xBD]) }
    }

    /// Whether a few strings have bytes that no writer stores, which is a sign of other damage.
    private static func isTouched(_ document: Document) -> Bool {
        let objects = (0..<document.count).lazy.map { document.object(ObjectID($0)) }
        return !RecoveredObjects.areOverlapping(objects, referenceSize: 0, in: document.image)
            && RecoveredObjects.hasOddStrings(document.image, objects, areHigh: true)
    }

    private static func firstDifference(_ a: some Sequence<UInt8>, _ b: some Sequence<UInt8>) -> Int {
        var count = 0
        for (x, y) in zip(a, b) {
            if x != y { break }
            count += 1
        }
        return count
    }

    // MARK: Partial repairs

    /// Returns the layout that the objects prove or, failing that, the one that the offset table shows; nil if there is
    /// neither. Also returns the numbers of objects that may begin or end elsewhere.
    private static func layout(of bytes: [UInt8]) -> (layout: DamagedLayout, doubtful: [Int])? {
        let scan = ObjectSequence.proved(in: bytes)
        if let scan, bytes.count != scan.sizeOfFile {
            let layout = DamagedLayout(
                objectsEnd: scan.objectsEnd, offsetSize: BinaryPlistWriter.size(for: scan.objectsEnd),
                referenceSize: scan.referenceSize, entries: scan.starts)
            return (layout, [])
        }
        guard var layout = DamagedLayout.find(in: bytes) else { return nil }
        guard let scan, layout.shift == 0, layout.objectsEnd == scan.objectsEnd, layout.count == scan.starts.count,
            layout.referenceSize == scan.referenceSize
        else { return (layout, []) }
        if let permuted = layout.permuted(scan.starts) { return permuted }
        // The first object begins after the header, but damage to its offset may have begun in the last object.
        var doubtful = layout.entries[0] == scan.starts[0] ? [] : [layout.count - 1]
        doubtful += layout.exchangeable(scan.starts, in: bytes)
        let (stated, plausible) = (layout.entries, layout.plausible(beside: scan.starts))
        layout.entries = scan.starts
        for index in plausible {
            // Offsets in order may be right, and the objects or those before them may be damaged.
            layout.entries[index] = stated[index]
            doubtful += [index - 1, index]
        }
        return (layout, doubtful)
    }

    private static func partial(
        _ bytes: [UInt8], after problem: Problem, _ limits: Limits, _ replaced: ReplacedLineEnds? = nil
    ) throws(Problem) -> Salvage {
        var graph: SalvagedGraph
        if let (found, doubtful) = layout(of: bytes) {
            var layout = found
            if let replaced, replaced.entries.count == layout.count { layout.entries = replaced.entries }
            var recovered = RecoveredObjects(bytes, layout)
            recovered.run()
            recovered.doubt(doubtful)
            guard !recovered.isOverlapping else {
                throw Problem("limit.overlap", "the objects overlap too much to be separated")
            }
            try limits.check(valueCount: RecoveredObjects.valueCount(recovered.objects), inFileOf: bytes.count)
            replaced?.doubt(&recovered.objects, in: bytes)
            graph = SalvagedGraph(
                bytes, recovered.objects, referenceSize: layout.referenceSize, root: layout.root)
        } else if let scan = ObjectSequence.longest(in: bytes) {
            let objects = scan.judgedObjects
            try limits.check(valueCount: RecoveredObjects.valueCount(objects), inFileOf: bytes.count)
            graph = SalvagedGraph(
                bytes, objects, referenceSize: scan.referenceSize, root: scan.isRootFirst ? 0 : nil,
                mayLackRoot: !scan.isRootFirst)
        } else {
            throw .nothingToSalvage(problem)
        }
        graph.run()
        guard graph.foundCount > 0 else { throw .nothingToSalvage(problem) }
        let restored = try graph.file()
        do throws(Problem) {
            var salvage = Salvage(
                restored, as: .binary, try BinaryPlist.read(restored, limits: limits), foundCount: graph.foundCount)
            salvage.losses = graph.losses
            salvage.numberedCount = graph.numberedCount
            salvage.contradiction = replaced?.problem
            salvage.repairs = [
                Problem("salvage.table", "the file was rebuilt from the objects that read", severity: .info)
            ]
            return salvage
        } catch {
            throw .nothingToSalvage(error)
        }
    }
}

extension Salvage {
    /// Returns the salvage with another repair.
    fileprivate func adding(_ message: String, as id: String, at offset: Int) -> Salvage {
        var salvage = self
        salvage.repairs.append(Problem(id, message, severity: .info, at: .byte(offset)))
        return salvage
    }
}
