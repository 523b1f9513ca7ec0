import SaveCodec
import SaveOperations

/// Says where else a change is seen.
enum SharingLine {
    /// Nil if it is seen nowhere else.
    static func render(_ sharing: Sharing) -> String? {
        guard sharing.count > 0 else { return nil }
        let listed = sharing.addresses.map { Shortened.address($0) }
        let rest = sharing.count - listed.count
        let more = rest > 0 ? [Counted.of(rest, listed.isEmpty ? "place" : "more place")] : []
        let places = (listed + more).joined(separator: ", ")
        return "shared, so this changes as well: \(places); \(Option.unshare.shown) splits it"
    }
}
