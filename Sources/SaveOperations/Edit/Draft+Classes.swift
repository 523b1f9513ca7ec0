import KeyedArchives

/// Names of classes that may be mistyped.
extension Draft {
    /// The classes that are new to the archive and unknown otherwise, of which the name is nearly that of a known one.
    package var mistypedClasses: [(name: String, nearest: String)] {
        newClasses.compactMap { new in
            guard KeyedArchive.chain(ofClass: new.name) == nil, let nearest = nearestClass(to: new.name) else {
                return nil
            }
            return (new.shownName, nearest)
        }
    }

    /// The class whose name is nearest to one that is not known; nil if none is near.
    func nearestClass(to name: [UInt16]) -> String? {
        let word = MistypedWord(name)
        let names =
            (view.archive?.classes.prefix(Self.mostNames) ?? []).map { Array($0.name) } + KeyedArchive.knownClassNames
        var best: (name: [UInt16], distance: Int)?
        for name in names {
            guard let distance = word.distance(to: name), distance > 0, distance < best?.distance ?? .max else {
                continue
            }
            best = (name, distance)
        }
        return best.map { ArchiveClass(name: $0.name, chain: nil).shownName }
    }

    /// A large archive is not searched to the end for the sake of a message.
    static let mostNames = 10_000
}
