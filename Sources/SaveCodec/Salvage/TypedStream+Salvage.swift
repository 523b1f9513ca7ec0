extension TypedStream {
    /// Reads a typedstream up to its damage, and returns the archive of its objects as a binary property list. A stream
    /// without damage is returned as it is.
    ///
    /// An object that the damage interrupts keeps the values before it.
    static func salvage(_ bytes: [UInt8], limits: Limits) throws(Problem) -> Salvage {
        var reader = try TypedStreamReader(bytes, limits: limits)
        let (stream, damage) = reader.readUpToDamage()
        guard let damage else {
            let document = try TypedStreamConverter(stream, of: bytes, limits: limits).convert()
            return .sound(bytes, as: .typedStream, document)
        }
        guard !stream.objects.isEmpty, !stream.roots.isEmpty else {
            throw .nothingToSalvage(damage.problem)
        }
        let document = try TypedStreamConverter(stream, of: bytes, limits: limits).convert()
        var output = ByteWriter()
        try BinaryPlist.write(document, to: &output)
        let file = output.takeBytes()
        var salvage = Salvage(
            file, as: .binary, try BinaryPlist.read(file, limits: limits),
            foundCount: stream.objects.count)
        salvage.isLostCountUnknown = true
        let range = damage.offset..<bytes.count
        salvage.losses = damage.objects.suffix(1000).map { object in
            var address = JSONPointer.root
            address.append(key: "$objects".utf16)
            address.append(index: object + 1)
            var loss = SalvageLoss(
                .doubtful, range, at: .address(address), "the stream is damaged before the end of the object")
            loss.isOpen = true
            return loss
        }
        salvage.losses.append(
            SalvageLoss(
                .missing, range, at: .unknown,
                "the rest of the stream cannot be read: \(damage.problem.message)"))
        return salvage
    }
}
