package import SaveCodec

/// What somebody may have meant.
package enum Suggestion {
    /// The one of `names` that is nearest to `word`, the first of equals; one that merely begins with it only if no other
    /// does. Nil if none is near.
    package static func nearest(to word: String, in names: [String]) -> String? {
        let mistyped = MistypedWord(Array(word.utf16))
        var best: (name: String, distance: Int)?
        var count = 0
        for name in names {
            guard let distance = mistyped.distance(to: name.utf16), distance <= best?.distance ?? .max else { continue }
            count = distance == best?.distance ? count + 1 : 1
            if count == 1 { best = (name, distance) }
        }
        guard let best, count == 1 || best.distance != MistypedWord.missingEnd else { return nil }
        return best.name
    }

    /// The address that a text is if only the slash is missing that it should begin with.
    package static func address(withSlashBefore text: String) -> JSONPointer? {
        !text.isEmpty && !text.hasPrefix("/") ? JSONPointer("/" + text) : nil
    }

    /// The end of a sentence about an address that does not exist: the nearest one that does, as typed. Very long
    /// addresses get no suggestion: they were not typed by hand.
    package static func sentence(_ nearest: JSONPointer?) -> String {
        guard let nearest else { return "" }
        let text = nearest == .root ? "''" : nearest.description
        return text.utf16.count > 160 ? "" : sentence(text)
    }

    /// The end of a sentence about `/` where no key is empty, as many who type it mean the root; nil for another address.
    static func rootOrEmptyKey(_ address: JSONPointer) -> String? {
        address == .emptyKey ? "; '' is the root, / is the empty key" : nil
    }

    /// The end of a sentence about what means nothing; nothing where there is no suggestion.
    package static func sentence(_ suggestion: String?) -> String {
        suggestion.map { "; did you mean \($0)?" } ?? ""
    }
}
