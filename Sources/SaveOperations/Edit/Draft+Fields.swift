import KeyedArchives
package import SaveCodec

/// A given field that may be mistyped: no object of the class has a field with this name, or in all other objects the
/// field has another kind.
struct UnexpectedField {
    enum Reason {
        case name
        /// The name is new, so the value is stored as a dictionary although its neighbours in the array are objects of
        /// the class.
        case dictionary
        /// The kind is new: in all other objects, the field has the kind `usual`.
        case kind(String, usual: String)

        var isOfKind: Bool { if case .kind = self { true } else { false } }
    }

    /// The address of the object, or of the value that contains it.
    let address: JSONPointer
    let name: [UInt16]
    let classNumber: Int
    let reason: Reason
}

/// The given fields that may be mistyped, up to a limit.
struct UnexpectedFields {
    /// The maximum number of reported fields with new names, and of reported fields with new kinds.
    private static let maxListed = 10
    private(set) var fields: [UnexpectedField] = []
    /// The numbers of unreported fields with new names and with new kinds.
    private(set) var rest = (names: 0, kinds: 0)

    /// Whether the list of fields with new kinds, or with new names, is full.
    func isFull(ofKinds areKinds: Bool) -> Bool {
        fields.count { $0.reason.isOfKind == areKinds } >= Self.maxListed
    }

    mutating func add(
        _ name: [UInt16], of classNumber: Int, _ reason: UnexpectedField.Reason = .name, at address: JSONPointer
    ) {
        guard !fields.contains(where: { $0.classNumber == classNumber && $0.name == name }) else { return }
        guard !isFull(ofKinds: reason.isOfKind) else {
            if reason.isOfKind { rest.kinds += 1 } else { rest.names += 1 }
            return
        }
        fields.append(
            UnexpectedField(address: address, name: name, classNumber: classNumber, reason: reason))
    }
}

/// The objects that lose fields because the given values lack them.
struct LostFields {
    /// The maximum number of reported objects.
    private static let maxListed = 10
    private(set) var objects: [(address: JSONPointer, lost: [[UInt16]], added: [[UInt16]])] = []
    /// The number of further objects.
    private(set) var rest = 0

    var isFull: Bool { objects.count >= Self.maxListed }

    mutating func add(_ lost: [[UInt16]], added: [[UInt16]], at address: JSONPointer) {
        guard !isFull else { return rest += 1 }
        objects.append((address, lost, added))
    }
}

extension Draft {
    /// Returns a sentence for each object that lost fields, with its address.
    package func lostFieldSentences() -> [(address: JSONPointer, sentence: String)] {
        var lines = lostFields.objects.map { object in
            let added = object.added.isEmpty ? "" : "; added: " + Self.list(object.added)
            return (object.address, "fields left out: " + Self.list(object.lost) + added)
        }
        if lostFields.rest > 0, let last = lines.last {
            lines.append((last.0, Phrase.count(lostFields.rest, "more object", "loses") + " fields"))
        }
        return lines
    }

    /// Returns the first names of a list, and the number of the others.
    static func list(_ names: [[UInt16]]) -> String {
        let shown = names.prefix(maxListed).map { Phrase.name($0) }
        return Phrase.list(shown, of: names.count)
    }

    private static let maxListed = 10

    /// Returns a sentence for each field that is new to its class, with the address of the object. The sentence may
    /// suggest a similar name.
    ///
    /// - Parameter areWanted: Whether new fields are expected, so that only fields of unusual kinds are reported.
    package mutating func unexpectedFieldSentences(areWanted: Bool) -> [(address: JSONPointer, sentence: String)] {
        let fields = unexpectedFields.fields.filter { !areWanted || $0.reason.isOfKind }
        var lines = fields.map { field in
            let className = classes[field.classNumber].shownName
            let name = Phrase.name(field.name)
            let sentence: String
            switch field.reason {
            case .name: sentence = "the field \(name) is new to the class \(className)"
            case .dictionary: sentence = "stored as a dictionary; \(className) has no field \(name)"
            case .kind(let kind, let usual):
                return (field.address, "the field \(name) is \(kind); in other objects of \(className) it is \(usual)")
            }
            return (
                field.address, sentence + Suggestion.sentence(nearestField(to: field.name, ofClass: field.classNumber))
            )
        }
        let rest = unexpectedFields.rest.kinds + (areWanted ? 0 : unexpectedFields.rest.names)
        if rest > 0, let last = fields.last {
            lines.append((last.address, "\(rest) more fields are new to their class or have another kind"))
        }
        return lines
    }

    private mutating func nearestField(to name: [UInt16], ofClass number: Int) -> String? {
        let word = MistypedWord(name)
        var best: (name: [UInt16], distance: Int)?
        for other in (fields(ofClass: number)?.names ?? []).prefix(Self.maximumNames) {
            guard let distance = word.distance(to: other) else { continue }
            if let best, (best.distance, best.name.count) < (distance, other.count) { continue }
            if let best, best.distance == distance, best.name.lexicographicallyPrecedes(other) { continue }
            best = (other, distance)
        }
        return best.map { Phrase.name($0.name) }
    }
}
