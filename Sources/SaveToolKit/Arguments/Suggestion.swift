import SaveCodec
import SaveOperations

/// Finds the name that somebody may have meant.
enum Suggestion {
    /// The one of `names` that alone begins with `word`, or else the nearest to it; nil if none is near.
    static func nearest(to word: String, in names: [String]) -> String? {
        let beginnings = names.filter { word.utf8.count > 1 && $0.hasPrefix(word) }
        if beginnings.count == 1 { return beginnings[0] }
        let distances = names.map { (name: $0, distance: EditDistance.between(word.utf16, $0.utf16)) }
        guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, best.name.utf8.count / 3) ? best.name : nil
    }
}
