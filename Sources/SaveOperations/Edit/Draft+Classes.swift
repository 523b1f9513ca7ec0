import KeyedArchives
import SaveCodec

extension Draft {
    /// Returns the class that a JSON value describes: a name, a chain of names, or the members of a class record.
    func readClass(_ id: ObjectID, of document: Document) throws(Problem) -> ArchiveClass {
        switch document[id] {
        case .string(let name): return try knownClass(name)
        case .array(let elements):
            let chain = document.names(elements)
            guard let chain, let name = chain.first else { break }
            return ArchiveClass(name: name, chain: chain)
        case .dictionary(let pairs):
            guard let name = pairs.value(for: "name".utf16).flatMap({ document.text($0) }) else { break }
            return ArchiveClass(
                name: Array(name), chain: document.names(pairs.value(for: "chain".utf16)),
                hints: document.names(pairs.value(for: "hints".utf16)))
        default: break
        }
        throw .patchClassValue(document[id].kind)
    }

    private func knownClass(_ text: StoredString) throws(Problem) -> ArchiveClass {
        let name = Array(text)
        if let number = newNames[name] { return archiveClass(number) }
        guard knownNames[name] != nil || KeyedArchive.chain(ofClass: name) != nil else {
            throw .patchUnknownClass(text, Suggestion.sentence(nearestClass(to: name)))
        }
        return classNamed(name)
    }
}

extension Document {
    /// Returns the strings of an array; nil if it contains anything else.
    fileprivate func names(_ elements: Elements) -> [[UInt16]]? {
        let names = elements.compactMap { text($0) }.map { Array($0) }
        return names.count == elements.count ? names : nil
    }

    fileprivate func names(_ id: ObjectID?) -> [[UInt16]]? {
        guard let id, case .array(let elements) = self[id] else { return nil }
        return names(elements)
    }
}

/// Suggestions for mistyped class names.
extension Draft {
    /// The unknown classes that the draft adds to the archive, if their names are similar to the name of a known class.
    package var mistypedClasses: [(name: String, nearest: String)] {
        newClasses.compactMap { new in
            guard KeyedArchive.chain(ofClass: new.name) == nil, let nearest = nearestClass(to: new.name) else {
                return nil
            }
            return (new.shownName, nearest)
        }
    }

    func nearestClass(to name: [UInt16]) -> String? {
        let word = MistypedWord(name)
        let names =
            (view.archive?.classes.prefix(Self.maximumNames) ?? []).map { Array($0.name) }
            + KeyedArchive.knownClassNames
        var best: (name: [UInt16], distance: Int)?
        for name in names {
            guard let distance = word.distance(to: name), distance > 0, distance < best?.distance ?? .max else {
                continue
            }
            best = (name, distance)
        }
        return best.map { ArchiveClass(name: $0.name, chain: nil).shownName }
    }

    /// The maximum number of names to search for a suggestion.
    static let maximumNames = 10_000
}
