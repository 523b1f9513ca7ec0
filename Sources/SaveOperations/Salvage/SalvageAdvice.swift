package import SaveCodec

extension SalvagedSave {
    /// Whether a salvage gets back a part of a file that cannot be read.
    ///
    /// A mistake in the syntax of JSON or OpenStep text that is not cut off does not count, because most were typed by
    /// a person. Large files that may be damaged are not tried.
    ///
    /// - Parameter problem: The reason why the file cannot be read.
    package static func helps(with problem: Problem.Kind, in file: [UInt8], _ options: ReadOptions) -> Bool {
        guard problem.mayBeDamage else { return false }
        guard file.count <= mostTried else { return !problem.isTypedMistake && problem.id != "format.unknown" }
        guard let salvaged = try? SalvagedSave(file, options), salvaged.file != file else { return false }
        let isTyped = salvaged.salvage.format.has(.text) && salvaged.cause.map(\.kind.isTypedMistake) ?? false
        return !isTyped || salvaged.losses.contains(where: \.loss.isOpen)
    }

    private static let mostTried = 1 << 24
}

extension Problem.Kind {
    /// Whether a problem of this kind may come from damaged bytes.
    package var mayBeDamage: Bool {
        id == "format.unknown" || isTextSyntax || isCompression
            || isOf(.archive, .binary, .damage, .sqlite, .text, .typedstream)
    }

    fileprivate var isTypedMistake: Bool { isOf(.gnustep, .json, .openstep) }
}
