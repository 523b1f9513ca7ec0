import ArchiveCoding
import KeyedArchives
public import SaveCodec
import SaveOperations

extension GameSave {
    /// Returns the save with the value at an address replaced by a `Codable` value, usually one that was read from it:
    ///
    ///     var map = try KeyedArchiveDecoder().decode(Map.self, from: save.value(at: "/root")!)
    ///     map.charList[0].health = 55
    ///     let changed = try save.replacing("/root", with: map)
    ///
    /// Each part keeps the storage of its counterpart, and fields that the type does not mention are kept, see
    /// ``KeyedArchives/KeyedArchiveEncoder/init(like:)``. ``warnings`` lists values whose storage the save does not
    /// determine. nil becomes null in JSON. A date is rounded down to whole seconds for an XML property list, and a
    /// number becomes a string in OpenStep text.
    ///
    /// - Throws: A problem if the address does not exist or the value cannot be encoded.
    public func replacing(_ address: String, with value: some Encodable) throws(Problem) -> GameSave {
        guard let pointer = JSONPointer(address) else {
            throw Problem(
                "set.address", "\(Phrase.name(address.utf16)) is not an address; expected /key/0/…")
        }
        return try replacing(pointer, with: value)
    }

    /// Returns the save with the value at an address replaced by a `Codable` value.
    ///
    /// - Throws: A problem if the address does not exist or the value cannot be encoded.
    public func replacing(_ address: JSONPointer, with value: some Encodable) throws(Problem) -> GameSave {
        let (inner, rest) = save.innermostSave(at: address)
        let result: (edited: ObjectView, warnings: [Problem])
        do throws(Problem) {
            result = try Self.view(of: inner.view, replacing: rest, with: value, limits)
        } catch {
            throw inner.based(error)
        }
        var save = try edited(inner.viewOfFile(holding: result.edited))
        save.warnings = result.warnings.map(inner.based)
        return save
    }

    /// Returns a view with another value at an address outside of nested saves.
    private static func view(
        of view: ObjectView, replacing address: JSONPointer, with value: some Encodable, _ limits: Limits
    ) throws(Problem) -> (edited: ObjectView, warnings: [Problem]) {
        guard let path = ResolvedAddress(address, in: view) else {
            throw Problem("set.missing", "no such value" + advice(for: address, in: view), address: address)
        }
        guard let archive = view.archive else {
            guard path.end == .root || path.end.position != nil else {
                throw Problem(
                    "set.missing", "no such value" + advice(for: address, in: view), address: address)
            }
            let (document, warnings) = try PlistEncoder.replace(
                path.end.position, of: path.containers.last, in: view, with: value, at: address)
            return (try view.edited(document, limits: limits), warnings)
        }
        guard case .slot(let position) = path.end, let container = path.containers.last else {
            throw Problem(
                "set.missing",
                address.tokens.isEmpty
                    ? "an archive has its roots here; replace one of them, such as /root"
                    : "no such value" + advice(for: address, in: view), address: address)
        }
        let (document, warnings) = try KeyedArchiveEncoder.replace(
            position, of: container, in: archive, with: value, at: address)
        return (try view.edited(document, limits: limits), warnings)
    }

    private static func advice(for address: JSONPointer, in view: ObjectView) -> String {
        Draft(view).advice(for: address)
    }
}

extension ResolvedAddress.End {
    /// The position of the slot; nil for the root.
    fileprivate var position: Int? {
        guard case .slot(let position) = self else { return nil }
        return position
    }
}
