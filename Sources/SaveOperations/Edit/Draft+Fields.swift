import KeyedArchives
package import SaveCodec

/// A field of an object that has been given and that no object of the class has, or none with such a value: it may be
/// mistyped.
struct NewField {
    /// What is new about it.
    enum Novelty {
        case name
        /// The name, so that the value is stored as a dictionary beside objects of the class.
        case dictionary
        /// The kind of the value, where all others are of the other kind.
        case kind(String, usual: String)

        var isOfKind: Bool { if case .kind = self { true } else { false } }
    }

    /// The object, or what it is part of.
    let address: JSONPointer
    let name: [UInt16]
    let classNumber: Int
    let novelty: Novelty
}

/// The fields that are new to the objects of a class.
struct NewFields {
    /// Most of them are not told.
    private static let most = 10
    private(set) var fields: [NewField] = []
    /// How many more there are: of new names, and of new kinds.
    private(set) var rest = (names: 0, kinds: 0)

    /// Whether more new kinds, or more new names, are only counted.
    func isFull(ofKinds areKinds: Bool) -> Bool {
        fields.count { $0.novelty.isOfKind == areKinds } >= Self.most
    }

    mutating func add(
        _ name: [UInt16], of classNumber: Int, _ novelty: NewField.Novelty = .name, at address: JSONPointer
    ) {
        guard !fields.contains(where: { $0.classNumber == classNumber && $0.name == name }) else { return }
        guard !isFull(ofKinds: novelty.isOfKind) else {
            if novelty.isOfKind { rest.kinds += 1 } else { rest.names += 1 }
            return
        }
        fields.append(
            NewField(address: address, name: name, classNumber: classNumber, novelty: novelty))
    }
}

/// The objects that lose fields as they are replaced by what does not have these.
struct LostFields {
    /// Most of them are not told.
    private static let most = 10
    private(set) var objects: [(address: JSONPointer, lost: [[UInt16]], added: [[UInt16]])] = []
    /// How many more objects there are.
    private(set) var rest = 0

    /// Whether more are only counted.
    var isFull: Bool { objects.count >= Self.most }

    mutating func add(_ lost: [[UInt16]], added: [[UInt16]], at address: JSONPointer) {
        guard !isFull else { return rest += 1 }
        objects.append((address, lost, added))
    }
}

extension Draft {
    /// What there is to say of the fields that objects lose as they are replaced.
    package func lostFieldSentences() -> [(address: JSONPointer, sentence: String)] {
        var lines = lostFields.objects.map { object in
            let added = object.added.isEmpty ? "" : "; added: " + Self.list(object.added)
            return (object.address, "fields left out: " + Self.list(object.lost) + added)
        }
        if lostFields.rest > 0, let last = lines.last {
            lines.append((last.0, "\(lostFields.rest) more objects lose fields"))
        }
        return lines
    }

    /// The first of some names, and how many more there are.
    static func list(_ names: [[UInt16]]) -> String {
        let shown = names.prefix(mostListed).map { SafeText.escaping($0.prefix(80)) }
        let rest = names.count - shown.count
        return (shown + (rest > 0 ? ["\(rest) more"] : [])).joined(separator: ", ")
    }

    private static let mostListed = 10

    /// What there is to say of the fields that are new to their classes: the address of the object, and a sentence with
    /// the name that may have been meant.
    ///
    /// - Parameter areWanted: whether new fields are wanted, so that only their kinds are told.
    package mutating func newFieldSentences(areWanted: Bool) -> [(address: JSONPointer, sentence: String)] {
        let fields = newFields.fields.filter { !areWanted || $0.novelty.isOfKind }
        var lines = fields.map { field in
            let className = archiveClass(field.classNumber).shownName
            let name = SafeText.escaping(field.name.prefix(80))
            let sentence: String
            switch field.novelty {
            case .name: sentence = "the field \(name) is new to the class \(className)"
            case .dictionary: sentence = "stored as a dictionary, as \(className) has no field \(name)"
            case .kind(let kind, let usual):
                return (field.address, "the field \(name) is \(kind); in other objects of \(className) it is \(usual)")
            }
            return (
                field.address, sentence + Suggestion.sentence(nearestField(to: field.name, ofClass: field.classNumber))
            )
        }
        let rest = newFields.rest.kinds + (areWanted ? 0 : newFields.rest.names)
        if rest > 0, let last = fields.last {
            lines.append((last.address, "\(rest) more fields are new to their classes, or of other kinds"))
        }
        return lines
    }

    /// The field of a class whose name is nearest; nil if none is near.
    private mutating func nearestField(to name: [UInt16], ofClass number: Int) -> String? {
        let word = MistypedWord(name)
        var best: (name: [UInt16], distance: Int)?
        for other in (fields(ofClass: number)?.names ?? []).prefix(Self.mostNames) {
            guard let distance = word.distance(to: other) else { continue }
            if let best, (best.distance, best.name.count) < (distance, other.count) { continue }
            if let best, best.distance == distance, best.name.lexicographicallyPrecedes(other) { continue }
            best = (other, distance)
        }
        return best.map { SafeText.escaping($0.name.prefix(80)) }
    }
}
