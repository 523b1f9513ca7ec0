package import SaveCodec

/// The attributed strings of an archive as views show them.
///
///     stored                                       shown
///     NSString         UID 2   "Hello world"       text   "Hello world"
///     NSAttributes     UID 3   [{…}, {…}]          runs   0  range {location: 0, length: 5}, attributes {…}
///     NSAttributeInfo  UID 4   05 00 06 01                1  range {location: 5, length: 6}, attributes {…}
///
/// The shown containers are objects of an extension of the document (see `Document.extended(_:)`). An attributed string
/// whose fields are not as its class prescribes is shown as stored, so that no view leaves anything out.
package struct AttributedStrings: Sendable {
    /// The fields of an attributed string in views.
    package enum Field {
        package static let text = "text"
        package static let runs = "runs"
        package static let range = "range"
        package static let location = "location"
        package static let length = "length"
        package static let attributes = "attributes"
    }

    /// An attributed string and its shown containers.
    struct Element: Sendable {
        let uid: UID
        /// The objects of the extension that were added for the attributed string.
        let objects: Range<Int>
        /// The position of the pair with `$class` in the shown dictionary.
        let classMember: Int
        /// The shown dictionary, the last of these objects.
        var dictionary: ObjectID { ObjectID(objects.upperBound - 1) }
    }

    /// The attributed strings, in the order of their UIDs and of their added objects.
    private(set) var elements: [Element] = []
    private var positions: [Int: Int] = [:]

    init() {}

    /// Returns the attributed string for an object of the archive; nil if the object is not one, or is shown as stored.
    func element(_ uid: UID) -> Element? {
        positions.isEmpty ? nil : positions[uid.index].map { elements[$0] }
    }

    /// Returns the attributed string for which an object of the extension was added.
    package func owner(of object: ObjectID) -> UID? {
        guard let first = elements.first, object.index >= first.objects.lowerBound else { return nil }
        let index = elements.partitioningIndex { $0.objects.upperBound > object.index }
        return index < elements.count ? elements[index].uid : nil
    }

    private mutating func add(_ element: Element) {
        positions[element.uid.index] = elements.count
        elements.append(element)
    }

    /// Whether the objects of a class are attributed strings.
    package static func isClass(_ name: some Collection<UInt16>) -> Bool {
        ["NSAttributedString", "NSMutableAttributedString"].contains { name.elementsEqual($0.utf16) }
    }

    /// Returns the bytes of `NSAttributeInfo` for the lengths of runs and the indices of their attributes.
    package static func runTable(_ runs: [(length: Int, attributes: Int)]) -> [UInt8] {
        var bytes: [UInt8] = []
        for run in runs {
            LEB128.append(run.length, to: &bytes)
            LEB128.append(run.attributes, to: &bytes)
        }
        return bytes
    }

    /// Returns the attributed strings of an archive that can be shown as text and runs, and the extension of its
    /// document that shows them; nil if no string can be shown like this.
    static func find(in archive: KeyedArchive) -> (strings: AttributedStrings, document: Document)? {
        let classes = Set(archive.classes.indices.filter { isClass(archive.classes[$0].name) })
        guard !classes.isEmpty else { return nil }
        var reader = AttributedStringReader(archive)
        let found = (0..<archive.count).compactMap { index -> StoredRuns? in
            guard let position = archive.classPosition(of: UID(index)), classes.contains(position) else { return nil }
            return reader.runs(of: UID(index))
        }
        guard !found.isEmpty else { return nil }
        var strings = AttributedStrings()
        let document = archive.document.extended { builder in
            for runs in found {
                let start = builder.objectCount
                let member = runs.add(to: &builder, in: archive)
                strings.add(Element(uid: runs.uid, objects: start..<builder.objectCount, classMember: member))
            }
        }
        return document.map { (strings, $0) }
    }
}

extension KeyedArchive {
    /// Returns the dictionary with the fields of an object, and the position of `$class` in it: the stored dictionary,
    /// or the shown one of an attributed string.
    func fields(of uid: UID, showingRuns: Bool) -> (dictionary: StoredObject, classMember: Int) {
        guard showingRuns, let string = attributedStrings.element(uid) else {
            return (stored(uid), classMember(of: uid))
        }
        return (document.object(string.dictionary), string.classMember)
    }
}

extension ObjectView {
    /// Whether a value is an attributed string that is shown as its text and runs.
    package func showsRuns(of id: ViewID) -> Bool {
        uid(id).flatMap { archive?.attributedStrings.element($0) } != nil
    }
}

/// The runs of an attributed string, as read from its stored fields.
private struct StoredRuns {
    let uid: UID
    /// The runs with the references to their attributes; nil if there are no attributes.
    let runs: [(length: Int, attributes: ObjectID)]?
    let textPosition: Int
    /// The positions of the stored fields that the shown runs replace.
    let replaced: Range<Int>
    /// The position of a second replaced field outside that range; nil if the shown runs replace no such field.
    let alsoReplaced: Int?

    private func isReplaced(_ position: Int) -> Bool { replaced.contains(position) || position == alsoReplaced }

    /// Adds the shown containers. The last added object is the shown dictionary.
    ///
    /// - Returns: The position of the pair with `$class` in that dictionary.
    func add(to builder: inout DocumentBuilder, in archive: KeyedArchive) -> Int {
        let document = archive.document
        let stored = archive.stored(uid)
        let member = archive.classMember(of: uid)
        var newMember = 0
        builder.open(.dictionary)
        builder.add(string: AttributedStrings.Field.text)
        builder.add(document.value(textPosition, of: stored), isShared: false)
        if let runs {
            builder.add(string: AttributedStrings.Field.runs)
            Self.add(runs, to: &builder)
        }
        for position in 0..<stored.count where position != textPosition && !isReplaced(position) {
            if position == member { newMember = builder.pendingCount / 2 }
            builder.add(document.key(position, of: stored), isShared: false)
            builder.add(document.value(position, of: stored), isShared: false)
        }
        builder.close()
        return newMember
    }

    private static func add(_ runs: [(length: Int, attributes: ObjectID)], to builder: inout DocumentBuilder) {
        var location = 0
        builder.open(.array)
        for run in runs {
            builder.open(.dictionary)
            builder.add(string: AttributedStrings.Field.range)
            builder.open(.dictionary)
            builder.add(string: AttributedStrings.Field.location)
            builder.add(integer: Int128(location))
            builder.add(string: AttributedStrings.Field.length)
            builder.add(integer: Int128(run.length))
            builder.close()
            builder.add(string: AttributedStrings.Field.attributes)
            builder.add(run.attributes, isShared: false)
            builder.close()
            location += run.length
        }
        builder.close()
    }
}

/// A reader of the runs of attributed strings, from a keyed archive or a typedstream.
private struct AttributedStringReader {
    private let archive: KeyedArchive
    /// The number of bytes that shown runs may still take. The initial number allows about a million runs at most.
    private var budget: Int

    /// The size of a shown run in bytes: two dictionaries, two numbers, and their offsets.
    private static let bytesPerRun = 64

    init(_ archive: KeyedArchive) {
        self.archive = archive
        budget = min(32 * archive.document.imageSize, Self.bytesPerRun << 20) + 1 << 16
    }

    private var document: Document { archive.document }

    /// Returns the runs of an attributed string, or nil if its fields are not as its class prescribes.
    mutating func runs(of uid: UID) -> StoredRuns? {
        let stored = archive.stored(uid)
        guard spend(16 * stored.count), let fields = positions(in: stored), let text = fields["NSString"],
            let length = textLength(text, of: stored)
        else { return nil }
        guard !archive.isTypedStream else { return streamRuns(of: uid, stored, text: text, length) }
        let info = fields["NSAttributeInfo"]
        guard let attributes = fields["NSAttributes"] else { return info == nil ? plain(uid, text: text) : nil }
        let runs =
            if let info { self.runs(attributes, info: info, of: stored, length: length) } else {
                wholeRun(attributes, of: stored, length)
            }
        guard let runs else { return nil }
        return StoredRuns(
            uid: uid, runs: runs, textPosition: text, replaced: attributes..<attributes + 1, alsoReplaced: info)
    }

    private func plain(_ uid: UID, text: Int) -> StoredRuns {
        StoredRuns(uid: uid, runs: nil, textPosition: text, replaced: text..<text, alsoReplaced: nil)
    }

    /// Returns the positions of the stored fields `NSString`, `NSAttributes` and `NSAttributeInfo`. Returns nil if one
    /// of them occurs twice, or if the object has a field named `text` or `runs`, because these names would be
    /// ambiguous.
    private func positions(in stored: StoredObject) -> [String: Int]? {
        let names = ["NSString", "NSAttributes", "NSAttributeInfo"]
        let shown = [AttributedStrings.Field.text, AttributedStrings.Field.runs]
        var positions: [String: Int] = [:]
        for position in 0..<stored.count {
            guard let text = document.text(document.key(position, of: stored)), text.count <= 16,
                let name = (names + shown).first(where: { text.elementsEqual($0.utf16) })
            else { continue }
            guard !shown.contains(name), positions.updateValue(position, forKey: name) == nil else { return nil }
        }
        return positions
    }

    /// Returns the length in UTF-16 code units of the text that a field refers to.
    private func textLength(_ position: Int, of stored: StoredObject) -> Int? {
        guard let uid = reference(position, of: stored), let text = archive.scalar(uid), text.kind.isString else {
            return nil
        }
        return text.count
    }

    private func reference(_ position: Int, of stored: StoredObject) -> UID? {
        document.uid(document.value(position, of: stored)).map { UID(Int($0)) }
    }

    /// Returns the run of a text whose attributes are the same throughout.
    private func wholeRun(
        _ attributes: Int, of stored: StoredObject, _ length: Int
    ) -> [(length: Int, attributes: ObjectID)]? {
        guard length > 0, let uid = reference(attributes, of: stored), isDictionary(uid) else { return nil }
        return [(length, document.value(attributes, of: stored))]
    }

    /// Returns the runs of a run table; nil unless the runs cover the text, none of them is empty, and all attributes
    /// are used.
    private mutating func runs(
        _ attributes: Int, info: Int, of stored: StoredObject, length: Int
    ) -> [(length: Int, attributes: ObjectID)]? {
        guard let list = reference(attributes, of: stored), let references = elements(list),
            let data = reference(info, of: stored).flatMap({ archive.scalar($0) }),
            case .data(let bytes) = document.node(data), spend(bytes.count)
        else { return nil }
        guard references.allSatisfy({ document.uid($0).map { isDictionary(UID(Int($0))) } ?? false }) else {
            return nil
        }
        var table = RunTable(bytes, textLength: length, attributesCount: references.count)
        var runs: [(length: Int, attributes: ObjectID)] = []
        var used = [Bool](repeating: false, count: references.count)
        while true {
            guard let run = try? table.next() else { break }
            guard spend(Self.bytesPerRun) else { return nil }
            used[run.attributes] = true
            runs.append((run.length, references[run.attributes]))
        }
        let isWhole = runs.reduce(0) { $0 + $1.length } == length
        return isWhole && table.ignoredFault == nil && length > 0 && !used.contains(false) ? runs : nil
    }

    private mutating func spend(_ bytes: Int) -> Bool {
        guard bytes <= budget else { return false }
        budget -= bytes
        return true
    }

    /// Returns the references of an array; nil for another object.
    private mutating func elements(_ uid: UID) -> [ObjectID]? {
        switch archive.encoding(of: uid) {
        case .elements(let array, .array):
            guard spend(8 * array.count) else { return nil }
            return (0..<array.count).map { document.reference($0, of: array) }
        case .numbered(let list, .array):
            guard spend(8 * list.count) else { return nil }
            return Array(archive.numberedReferences[list.start..<list.start + list.count])
        default: return nil
        }
    }

    private func isDictionary(_ uid: UID) -> Bool {
        switch archive.encoding(of: uid) {
        case .pairs, .numberedPairs: true
        default: false
        }
    }

    /// Returns the runs of a typedstream, where each run consists of the number of its attributes, from 1, and its
    /// length. The attributes themselves follow the first run that has their number.
    private mutating func streamRuns(
        of uid: UID, _ stored: StoredObject, text: Int, _ length: Int
    ) -> StoredRuns? {
        var position = text + 1
        var runs: [(length: Int, attributes: ObjectID)] = []
        var attributes: [ObjectID] = []
        var rest = length
        while rest > 0 {
            guard position + 1 < stored.count, let number = integer(position, of: stored),
                let count = integer(position + 1, of: stored), count > 0, count <= rest,
                number > 0, number <= attributes.count + 1
            else { return nil }
            position += 2
            if number > attributes.count {
                guard position < stored.count, let reference = reference(position, of: stored), isDictionary(reference)
                else { return nil }
                attributes.append(document.value(position, of: stored))
                position += 1
            }
            guard spend(Self.bytesPerRun) else { return nil }
            runs.append((count, attributes[number - 1]))
            rest -= count
        }
        guard !runs.isEmpty else { return plain(uid, text: text) }
        return StoredRuns(uid: uid, runs: runs, textPosition: text, replaced: text + 1..<position, alsoReplaced: nil)
    }

    private func integer(_ position: Int, of stored: StoredObject) -> Int? {
        let value = document.object(document.value(position, of: stored))
        return value.kind == .integer ? Int(exactly: document.integer(value)) : nil
    }
}
