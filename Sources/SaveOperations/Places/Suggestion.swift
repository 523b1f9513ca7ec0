import SaveCodec

/// What somebody may have meant.
package enum Suggestion {
    /// The one of `names` that is `word` in another case, or alone begins with it, or else the nearest to it; nil if none
    /// is near.
    package static func nearest(to word: String, in names: [String]) -> String? {
        if let name = names.first(where: { $0.lowercased() == word.lowercased() }) { return name }
        let beginnings = names.filter { word.utf8.count > 1 && $0.hasPrefix(word) }
        if beginnings.count == 1 { return beginnings[0] }
        let distances = names.map { (name: $0, distance: EditDistance.between(word.utf16, $0.utf16)) }
        guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, best.name.utf8.count / 3) ? best.name : nil
    }

    /// The end of a sentence about a text that is no address: one with the slash that it should begin with.
    package static func ofSlash(before text: String) -> String {
        let hasNone = !text.isEmpty && !text.hasPrefix("/")
        return sentence(hasNone ? JSONPointer("/" + text) : nil)
    }

    /// The end of a sentence about an address that leads nowhere. One that fills lines has not been typed.
    static func sentence(_ nearest: JSONPointer?) -> String {
        guard let text = nearest?.description, text.utf16.count <= 160 else { return "" }
        return sentence(text)
    }

    /// The end of a sentence about what means nothing; nothing where there is no suggestion.
    package static func sentence(_ suggestion: String?) -> String {
        suggestion.map { "; did you mean \($0)?" } ?? ""
    }
}
