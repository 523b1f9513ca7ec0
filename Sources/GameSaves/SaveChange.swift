public import ArchiveCoding
import KeyedArchives
public import SaveCodec
public import SaveOperations

/// One difference between two saves.
public struct SaveChange: Sendable, CustomStringConvertible {
    /// The kind of a change.
    public typealias Kind = ChangeKind

    /// The kind of this change.
    public var kind: Kind { change.kind }
    private let change: Change
    private let difference: Difference

    init(_ change: Change, in difference: Difference) {
        (self.change, self.difference) = (change, difference)
    }

    /// The address in the later save; for a removal, the address in the earlier save. A very long address is cut off.
    public var address: JSONPointer { difference.address(of: change) }
    /// The value in the earlier save; nil for an addition.
    public var before: ArchivedValue? { value(.before) }
    /// The value in the later save; nil for a removal.
    public var after: ArchivedValue? { value(.after) }

    /// A one-line description for people: `changed /root/health: 100 → 55`. Programs should not parse it.
    public var description: String {
        let what = "\(kind.rawValue) \(address)"
        return switch (kind, before, after) {
        case (.moved, let before?, _): "\(what), previously at \(before.address)"
        case (.storage, _, let after?), (.shared, _, let after?), (_, nil, let after?): "\(what): \(after)"
        case (_, let before?, nil): "\(what): \(before)"
        case (_, let before?, let after?): "\(what): \(before) → \(after)"
        case (_, nil, nil): what
        }
    }

    // Computed on request: together, the addresses may be far longer than the saves.
    private func value(_ side: Side) -> ArchivedValue? {
        guard let id = change.value(side), let address = difference.address(of: change, side) else { return nil }
        return ArchivedValue(id, in: difference.view(side), at: address)
    }
}
