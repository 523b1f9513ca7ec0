import KeyedArchives
package import SaveCodec

/// A value of a patch, in the dialect of the save that receives it.
///
///     patch                                      save of plain JSON       any other save
///     {"$date": "2009-09-06T12:34:56Z"}          a dictionary             a date
///
/// A patch is read as plain JSON, because it can change nested saves of other formats than the file. Its tags are read
/// when a value is stored.
struct PatchValue {
    let document: Document
    let id: ObjectID
    /// Whether the value was read again, as the element of a list.
    private var isElement = false

    init(_ id: ObjectID, in document: Document) {
        (self.id, self.document) = (id, document)
    }

    var isContainer: Bool { document.object(id).kind.isContainer }

    /// Returns the value as typed JSON, which is read again if it has tags. A value with an invalid tag remains plain
    /// JSON, and its document has a ``Document/tagContradiction``.
    ///
    /// - Throws: A problem if a nested save in the value cannot be read.
    func readingTags(_ limits: Limits) throws(Problem) -> PatchValue {
        guard document.isPlainJSON, hasTags else { return self }
        var text = ByteWriter()
        // The root of a text could be an envelope, but an element cannot.
        text.write("[")
        JSONWriter.writeValue(
            of: document, root: id, indentation: 0, options: WriteOptions(isCompact: true), to: &text)
        text.write("]")
        do throws(Problem) {
            let list = try Document.readGiven(text.takeBytes(), limits: limits.forPatches)
            var value = PatchValue(list.reference(0, of: list.object(list.root)), in: list)
            value.isElement = true
            return value
        } catch {
            throw Problem(error.kind, "in the value, \(error.message)")
        }
    }

    /// Whether an object in the value resembles a tagged value.
    private var hasTags: Bool {
        var pending = [id]
        while let id = pending.popLast() {
            let stored = document.object(id)
            guard stored.kind.isContainer else { continue }
            if document.resemblesTaggedValue(id) { return true }
            pending += (0..<stored.referenceCount).map { document.reference($0, of: stored) }
        }
        return false
    }

    /// Returns a problem of graph JSON in the value with its address in the patch, and any other problem unchanged.
    ///
    /// - Parameter address: The address of the value in the patch.
    func inPatch(_ problem: Problem, at address: JSONPointer) -> Problem {
        guard isElement, problem.kind.isOf(.graph), let inner = problem.address else { return problem }
        var problem = problem
        problem.address = address.appending(inner, from: 1)
        return problem
    }
}

extension Document {
    /// Reads a patch as plain JSON, in which tags are ordinary names.
    package static func readPatch(_ bytes: [UInt8], limits: Limits) throws(Problem) -> Document {
        try readSave(bytes, as: .json, limits: limits.forPatches, dialect: .plain)
    }
}

extension Limits {
    /// The limits for a patch, which may be deeper than the save, because its values are inside an array and its
    /// operations.
    fileprivate var forPatches: Limits {
        var limits = self
        let envelopeDepth = 8
        limits.maxDepth = min(maxDepth, .max - envelopeDepth) + envelopeDepth
        return limits
    }
}

extension PatchApplication {
    /// Decides whether tags in the values of a patch are read. They are ordinary names if the save is JSON without tags
    /// and one of them has invalid contents.
    mutating func chooseDialect(for values: some Sequence<PatchValue>) {
        readsTags = !draft.view.document.isPlainJSON
        guard readsTags, draft.view.document.asPlainJSON() != nil else { return }
        let limits = limits
        let isPlain = values.contains { (try? $0.readingTags(limits))?.document.tagContradiction != nil }
        guard isPlain else { return }
        readsTags = false
        draft.becomesPlainJSON = true
    }

    /// Returns a value in the dialect of the save.
    ///
    /// - Throws: A problem with the address of the value in the save if a tag in it has invalid contents.
    mutating func inDialect(_ value: PatchValue, at address: JSONPointer) throws(Problem) -> PatchValue {
        do throws(Problem) {
            let value = readsTags ? try value.readingTags(limits) : value
            if draft.view.archive == nil, value.isContainer { try draft.accept(value.document) }
            return value
        } catch {
            throw Problem(error.kind, error.message, address: address)
        }
    }

    func reader(of value: PatchValue) -> ValueReader {
        ValueReader(value.document, rules: .patch.within(saveAt: base), for: draft)
    }
}
