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
/// A file that is compressed by gzip or zlib is opened, and remains one; see `Wrapping` for other layers.
/// Files may come from anybody; nothing here recurses on them or takes more than a little longer than sorting them.
public struct GameSave: Sendable {
    /// The file.
    public let bytes: [UInt8]
    /// The format of the file.
    public let format: Format
    /// What the file holds: the graph of objects of an archive, or else the document.
    let view: ObjectView
    /// Warnings, with addresses, of the ``replacing(_:with:)-(String,_)`` that made this save: the values whose storage
    /// it could not determine. Otherwise empty.
    public internal(set) var warnings: [Problem] = []
    let limits: Limits
    /// What the document is read from, and the layers that it is in.
    private let contents: [UInt8]
    private let wrapping: Wrapping
    /// Whether the file is JSON that describes the objects of an archive.
    private let isGraphJSON: Bool

    /// Opens a save. JSON that describes the objects of an archive is one.
    ///
    /// - Parameter format: the format; nil for what the bytes look like.
    /// - Throws: a problem if the bytes are no sound document, or no sound archive, with its place.
    public init(_ bytes: [UInt8], as format: Format? = nil, limits: Limits = Limits()) throws(Problem) {
        (self.bytes, self.limits) = (bytes, limits)
        (contents, wrapping) = try Wrapping.unwrap(bytes, limits: limits)
        do throws(Problem) {
            self.format = if let format { format } else { try Format.recognize(contents) }
            let document = try Document.readSave(contents, as: self.format, limits: limits)
            view = try ObjectView(of: document, limits: limits, isRaw: false, nesting: Nesting(limits: limits))
            isGraphJSON = view.archive != nil && GraphJSON.isPresent(in: document)
        } catch {
            throw wrapping.located(error)
        }
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

    /// The save that has been edited; nil for as it is.
    func edited(_ view: ObjectView?) throws(Problem) -> GameSave {
        guard let view else { return self }
        let edited = try view.bytes(inPlaceOf: contents, as: format, isGraphJSON: isGraphJSON, limits: limits)
        return try GameSave(wrapping.wrap(edited), as: format, limits: limits)
    }
}
