package import KeyedArchives
import SaveCodec

extension ObjectView {
    /// Returns the positions of pairs in the order of their keys: strings by code units, then other keys. Nil for
    /// elements, which have their own order.
    func order(of contents: ViewContents) -> [UInt32]? {
        guard contents.count > 0, item(0, of: contents).key != nil else { return nil }
        var keys: [ObjectID] = []
        var positions: [UInt32] = []
        var others: [(form: [UInt16], position: UInt32)] = []
        for position in 0..<contents.count {
            guard let key = item(position, of: contents).key else { return nil }
            let number = UInt32(truncatingIfNeeded: position)
            if text(key) != nil {
                keys.append(stored(key))
                positions.append(number)
            } else {
                others.append((token(ofKey: key, at: position).units, number))
            }
        }
        others.sort { a, b in
            a.form == b.form ? a.position < b.position : a.form.lexicographicallyPrecedes(b.form)
        }
        return document.sortedPositions(ofKeys: keys).map { positions[Int($0)] } + others.map(\.position)
    }

    /// Returns a one-line description of a small object; nil if a line cannot describe the object completely.
    package func brief(_ id: ViewID) -> String? {
        let object = document.object(stored(id))
        return object.kind == .dictionary && object.count <= Self.largestBrief ? wholeAnnotation(of: id) : nil
    }

    /// The largest number of fields of a small object. An NSURL has two, a UIColor ten, an SKNode more than twenty.
    private static let largestBrief = 16
}
