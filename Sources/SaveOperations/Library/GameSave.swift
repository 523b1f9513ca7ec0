public import KeyedArchives
public import SaveCodec

/// A save file as a program compares, changes and checks it: a property list, JSON, or the objects of a keyed archive, in
/// any format.
///
///     let save = try GameSave(bytes)
///     let health = try save.value(at: "/root/charList/0/health")?.integer
///     for change in try save.changes(to: GameSave(later)) { print(change.kind, change.address) }
///
/// Addresses are those of `JSONPointer`, in an archive from the names of its roots down. A save that is changed is another
/// one, of the same format: a text keeps its white space and comments, a binary file the bytes of what is not touched.
/// A file that is compressed by gzip or zlib is opened, and remains one; see `Layers` for other layers.
/// Files may come from anybody; nothing here recurses on them or takes more than a little longer than sorting them.
public struct GameSave: Sendable {
    /// The file.
    public var bytes: [UInt8] { save.file }
    /// The format of the file.
    public var format: Format { save.format }
    /// Warnings, with addresses, of the ``replacing(_:with:)-(String,_)`` that made this save: the values whose storage
    /// it could not determine. Otherwise empty.
    public internal(set) var warnings: [Problem] = []
    let save: Save
    var view: ObjectView { save.view }
    var limits: Limits { save.limits }

    /// Opens a save. JSON that describes the objects of an archive is one.
    ///
    /// - Parameter format: the format; nil for what the bytes look like.
    /// - Throws: a problem if the bytes are no sound document, or no sound archive, with its place.
    public init(_ bytes: [UInt8], as format: Format? = nil, limits: Limits = Limits()) throws(Problem) {
        var options = ReadOptions(format: format, limits: limits)
        options.refusesNestedLoss = true
        save = try Save(bytes, options)
    }

    /// The value at an address such as `/root/charList/0`; nil if there is none, or the address is none.
    public func value(at address: String = "") -> ArchivedValue? {
        JSONPointer(address).flatMap { value(at: $0) }
    }

    /// The value at an address; nil if there is none.
    public func value(at address: JSONPointer) -> ArchivedValue? {
        guard case .found(let id, in: let view) = view.find(address) else { return nil }
        return ArchivedValue(id, in: view, at: address)
    }

    /// Returns the save with an edited view in place of its own; nil leaves it as it is.
    func edited(_ view: ObjectView?) throws(Problem) -> GameSave {
        guard let view else { return self }
        let edited = try save.edited(to: view)
        try edited.checkValues()
        return try GameSave(save.decoded.replacing(edited.bytes()), as: format, limits: limits)
    }
}
