public import ArchiveCoding
import KeyedArchives
public import SaveCodec
import SaveOperations

/// A save file to read, compare, change and check: a property list, JSON, or a keyed archive, in any format.
///
///     let save = try GameSave(bytes)
///     let health = try save.value(at: "/root/charList/0/health")?.integer
///     for change in try save.changes(to: GameSave(later)) { print(change.kind, change.address) }
///
/// Addresses are written as in `JSONPointer`; in an archive they begin with the name of a root. Changing a save returns
/// a new save in the same format: a text keeps its white space and comments, a binary file the bytes of unchanged
/// values. A file compressed with gzip or zlib is opened, and stays compressed. Remove other layers first.
///
/// Opening untrusted files is safe: the operations are not recursive, and take little more time than sorting the
/// values.
public struct GameSave: Sendable {
    /// The bytes of the file.
    public var bytes: [UInt8] { save.file }
    /// The format of the file.
    public var format: Format { save.format }
    /// The warnings of the ``replacing(_:with:)-(String,_)`` call that made this save, with addresses: the values whose
    /// storage the original save does not determine. Otherwise empty.
    public internal(set) var warnings: [Problem] = []
    let save: Save
    var view: ObjectView { save.view }
    var limits: Limits { save.limits }

    /// Opens a save. JSON that describes the objects of an archive is opened as an archive.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the file.
    ///   - format: The format; nil to detect it from the content.
    ///   - limits: The resource limits.
    /// - Throws: A problem with its location if the bytes are not a valid document or archive.
    public init(_ bytes: [UInt8], as format: Format? = nil, limits: Limits = Limits()) throws(Problem) {
        var options = ReadOptions(format: format, limits: limits)
        options.refusesNestedLoss = true
        save = try Save(bytes, options)
    }

    /// Returns the value at an address such as `/root/charList/0`; nil if the address does not exist or is invalid.
    public func value(at address: String = "") -> ArchivedValue? {
        JSONPointer(address).flatMap { value(at: $0) }
    }

    /// Returns the value at an address; nil if the address does not exist.
    public func value(at address: JSONPointer) -> ArchivedValue? {
        guard case .found(let id, in: let view) = view.find(address) else { return nil }
        return ArchivedValue(id, in: view, at: address)
    }

    /// Returns the save with an edited view in place of its own; nil returns it unchanged.
    func edited(_ view: ObjectView?) throws(Problem) -> GameSave {
        guard let view else { return self }
        let edited = try save.edited(to: view)
        try edited.checkValues()
        return try GameSave(save.decoded.replacing(edited.bytes()), as: format, limits: limits)
    }
}
