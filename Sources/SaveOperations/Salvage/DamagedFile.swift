import KeyedArchives
import SaveCodec

/// The bytes of a file that may be damaged, without the layers and other bytes around them, and the reason why they
/// cannot be read:
///
///     file ─▶ bytes that precede the save ─▶ layers, as far as they are intact ─▶ bytes of a format
struct DamagedFile {
    /// The bytes before the save that do not belong to it, or nil.
    let preceding: PrecedingBytes?
    let layers: Layers
    /// The file without the bytes before the save.
    let file: [UInt8]
    /// The damage of the layers.
    let damage: [Problem]
    let bytes: [UInt8]
    let format: Format
    /// The reason why the bytes cannot be read, or nil.
    let fault: Problem?

    /// Opens a file.
    ///
    /// - Throws: A problem if nothing in the file can be repaired.
    static func opened(_ file: [UInt8], _ options: ReadOptions) throws(Problem) -> DamagedFile {
        let mayPrecede = options.format == nil && options.layers.headerSize == nil
        let preceding: PrecedingBytes?
        do throws(Problem) {
            let opened = try DamagedFile(file, options, after: nil)
            guard mayPrecede, let fault = opened.fault,
                ["damage.preceding", "damage.block", "xml.leading-space"].contains(fault.id),
                let found = PrecedingBytes.find(in: file, limits: options.limits)
            else { return opened }
            preceding = found
        } catch {
            guard mayPrecede, ["format.unknown", "damage.preceding"].contains(error.id),
                // For an unknown format, the diagnosis has already searched for a complete save. Another search would
                // decompress the file again.
                let found = error.id == "damage.preceding"
                    ? PrecedingBytes.find(in: file, limits: options.limits) : .beforeDamagedSave(in: file)
            else { throw error }
            preceding = found
        }
        return try DamagedFile(file, options, after: preceding)
    }

    private init(_ file: [UInt8], _ options: ReadOptions, after preceding: PrecedingBytes?) throws(Problem) {
        let rest = preceding.map { Array(file[$0.count...]) } ?? file
        let origin = preceding == nil ? options.origin : "rest of the \(options.origin ?? "file")"
        (self.preceding, self.file) = (preceding, rest)
        (bytes, layers, damage) = try Layers.unwrapIntact(
            rest, outOf: origin, options.layers, limits: options.limits)
        do throws(Problem) {
            format = if let format = options.format { format } else { try Format.recognizeDamaged(bytes) }
        } catch {
            throw layers.located(error)
        }
        fault = Self.fault(of: bytes, as: format, options.limits)
        // A file of another type contains no part of a save.
        if let fault, fault.kind.isOfOtherFile { throw layers.located(fault) }
    }

    private static func fault(of bytes: [UInt8], as format: Format, _ limits: Limits) -> Problem? {
        do throws(Problem) {
            let document = try Document.readSave(bytes, as: format, limits: limits)
            // Other readers of XML refuse white space at the beginning.
            return document.warnings.first { $0.id == "xml.leading-space" }
        } catch {
            return error
        }
    }
}
