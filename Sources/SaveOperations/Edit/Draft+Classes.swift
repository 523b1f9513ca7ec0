import KeyedArchives

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
