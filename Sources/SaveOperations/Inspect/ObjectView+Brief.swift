package import KeyedArchives
import SaveCodec

extension ObjectView {
    /// What an object of few fields stands for; nil for larger ones, of which a line does not tell enough, and for those
    /// that speak for themselves.
    package func brief(_ id: ViewID) -> String? {
        let object = document.object(stored(id))
        return object.kind == .dictionary && object.count <= Self.largestBrief ? wholeAnnotation(of: id) : nil
    }

    /// An NSURL has two fields, a UIColor ten, an SKNode more than twenty.
    private static let largestBrief = 16
}
