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
    /// The limits for the bytes. They depend on the size of the file as it is stored.
    let limits: Limits
    /// The reason why the bytes cannot be read, or nil.
    let fault: Problem?
    /// The evidence of damage of the whole file that was undone, and the repairs; nil if there was none.
    private(set) var undone: (cause: Problem, repairs: [Problem], isProved: Bool)?

    /// Opens a file.
    ///
    /// - Throws: A problem if nothing in the file can be repaired.
    static func opened(_ file: [UInt8], _ options: ReadOptions) throws(Problem) -> DamagedFile {
        let opened: DamagedFile
        do throws(Problem) {
            opened = try withoutPrecedingBytes(file, options)
        } catch {
            guard let whole = undoing(error, of: file, options) else { throw error }
            return whole
        }
        // Binary property lists prove more, so ``BinaryPlistSalvage`` repairs them.
        let fault = opened.format.has(.objectTable) ? nil : opened.fault
        guard let cause = opened.damage.first ?? fault else { return opened }
        return undoing(cause, of: file, options) ?? opened
    }

    /// Opens a file as it was before it lost its first bytes, or before a program converted all of it; nil if neither
    /// explains all damage.
    private static func undoing(_ cause: Problem, of file: [UInt8], _ options: ReadOptions) -> DamagedFile? {
        guard options.format == nil, options.layers.headerSize == nil else { return nil }
        func opened(_ bytes: [UInt8], _ repairs: [Problem], isProved: Bool) -> DamagedFile? {
            guard var opened = try? DamagedFile(bytes, options, after: nil), opened.damage.isEmpty, opened.fault == nil
            else { return nil }
            let repairs = repairs.map { repair in
                var repair = repair
                repair.location = repair.location.map { .within("file", $0) }
                return repair
            }
            let isWhole = opened.layers.haveChecksum || opened.format.has(.database) && SQLite.hasStatedSize(bytes)
            opened.undone = (cause, repairs, isProved && isWhole)
            return opened
        }
        if let restored = RestoredBeginning.find(for: file, limits: options.limits) {
            return opened(restored.bytes, [restored.repair], isProved: restored.isProved)
        }
        if let text = RewrittenText.find(for: file, limits: options.limits) {
            return opened(text.bytes, [text.repair], isProved: false)
        }
        for candidate in UndoneConversion.candidates(for: file) {
            // The lengths in a stream show that a conversion was undone, as do the pages of a database.
            guard let found = opened(candidate.bytes, candidate.repairs, isProved: true),
                !found.layers.isEmpty || !found.format.has(.text)
            else { continue }
            return found
        }
        return nil
    }

    private static func withoutPrecedingBytes(
        _ file: [UInt8], _ options: ReadOptions
    ) throws(Problem) -> DamagedFile {
        let mayPrecede = options.format == nil && options.layers.headerSize == nil
        let preceding: PrecedingBytes?
        do throws(Problem) {
            let opened = try DamagedFile(file, options, after: nil)
            guard mayPrecede, let fault = opened.fault else { return opened }
            var found: PrecedingBytes?
            if ["damage.preceding", "damage.block", "xml.leading-space"].contains(fault.id) {
                found = .find(in: file, limits: options.limits)
            }
            // Markup of other kinds reads as damaged XML.
            if found == nil, opened.format.has(.markup) {
                found = .beforeDamagedSave(in: file)
                if found?.isForeign != true { found = nil }
            }
            guard let found else { return opened }
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
        limits = layers.limits(options.limits, inside: rest)
        do throws(Problem) {
            format =
                if let format = options.format { format } else {
                    try Format.recognizeDamaged(bytes, limits: limits)
                }
        } catch {
            throw layers.located(error)
        }
        fault = Self.fault(of: bytes, as: format, limits)
        // A file of another type contains no part of a save, and one with too many values is not damaged.
        if let fault, fault.kind.isOfOtherFile || fault.kind == .tooManyValues { throw layers.located(fault) }
    }

    private static func fault(of bytes: [UInt8], as format: Format, _ limits: Limits) -> Problem? {
        do throws(Problem) {
            let document = try Document.readSave(bytes, as: format, limits: limits, dialect: .commented)
            // Other readers of XML refuse white space at the beginning. A database consists of whole pages.
            return document.warnings.first { ["sqlite.trailing", "xml.leading-space"].contains($0.id) }
        } catch {
            return error
        }
    }
}
