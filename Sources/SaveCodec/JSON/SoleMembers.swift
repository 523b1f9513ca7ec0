/// Which objects that begin with a tag have no second member, and so are tagged values.
///
/// Of an array that may be deep and long it is known only at its end whether it was the contents of a tag, too late for
/// a reader that builds as it goes. Hence one look ahead over all of the text, made when the first such object is met.
/// Malformed text does no harm here, as the reader will come to it.
struct SoleMembers {
    private struct Candidate {
        let offset: Int
        let depth: Int
        var hasComma = false
    }

    private var offsets: Set<Int> = []

    /// Looks ahead from the brace of the first object in question.
    init(in text: JSONText, from start: Int) {
        var candidates: [Candidate] = []
        var depth = 0
        var offset = start
        while offset < text.bytes.count {
            switch text.bytes[offset] {
            case UInt8(ascii: "\""):
                offset = text.endOfString(from: offset + 1) ?? text.bytes.count
            case UInt8(ascii: "["):
                depth += 1
            case UInt8(ascii: "{"):
                depth += 1
                if text.tag(ofObjectAt: offset) != nil { candidates.append(Candidate(offset: offset, depth: depth)) }
            case UInt8(ascii: ","):
                if let last = candidates.last, last.depth == depth { candidates[candidates.count - 1].hasComma = true }
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if let last = candidates.last, last.depth == depth {
                    candidates.removeLast()
                    if !last.hasComma { offsets.insert(last.offset) }
                }
                depth -= 1
            default:
                break
            }
            offset += 1
        }
    }

    /// Whether the first member of the object whose brace stands at `offset`, a tag, is its only one.
    func contains(objectAt offset: Int) -> Bool {
        offsets.contains(offset)
    }
}
