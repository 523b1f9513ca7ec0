import KeyedArchives
package import SaveCodec

/// A damaged file, repaired as far as its bytes allow, with the address of each loss in the repaired save:
///
///     file ─▶ layers ─▶ bytes ─▶ Salvage ─▶ ArchiveSalvage ─▶ the save, and its losses with their addresses
package struct SalvagedSave: Sendable {
    /// A loss and its address in the repaired save.
    package struct Loss: Sendable {
        package let loss: SalvageLoss
        /// The address of the placeholder or doubtful value in the value graph; nil if nothing leads to it.
        package let address: JSONPointer?
        /// The value that an older save has at the address.
        package var counterpart: Counterpart?
    }

    /// The confidence in a repaired file.
    package enum Confidence: String, Sendable {
        /// The bytes are proved to be those before the damage.
        case proved
        /// Nothing is known to be missing, but the bytes prove it only in part.
        case complete
        /// Something is lost or doubtful.
        case partial
    }

    package private(set) var salvage: Salvage
    /// The reason why the damaged file cannot be read; nil for a file without damage.
    package let cause: Problem?
    package let layers: Layers
    /// The repaired save, without layers. An archive that is not sound even after the repair is opened as the property
    /// list that stores it.
    package private(set) var save: Save
    /// The reason why an archive is opened as a property list, or nil.
    package let archiveProblem: Problem?
    package internal(set) var losses: [Loss]
    private let options: ReadOptions

    /// Repairs a file.
    ///
    /// - Throws: A problem if nothing can be read.
    package init(_ file: [UInt8], _ options: ReadOptions) throws(Problem) {
        let limits = options.limits
        let (bytes, layers, damage) = try Layers.salvage(
            file, outOf: options.origin, options.layers, limits: limits)
        self.layers = layers
        do throws(Problem) {
            let format = if let format = options.format { format } else { try Format.recognizeDamaged(bytes) }
            var salvage = try format.definition.salvage(bytes, limits: limits)
            let isArchive = !options.isRaw && KeyedArchive.isArchive(salvage.document)
            var reading = options
            (reading.format, reading.layers, reading.origin) = (salvage.format, LayerOptions(), nil)
            if isArchive { try Self.repairArchive(&salvage, reading) }
            salvage.add(damage)
            (save, archiveProblem) = try Self.open(salvage.bytes, reading)
            // Bytes that no repair changed may have been damaged where only the archive shows it.
            if archiveProblem != nil { salvage.isProved = false }
            self.salvage = salvage
            self.options = reading
            cause = damage.first ?? Self.cause(bytes, as: format, salvage, isArchive: isArchive, limits)
        } catch {
            throw layers.located(error)
        }
        losses = Self.located(salvage.losses, in: save.view)
    }

    package var confidence: Confidence {
        if salvage.isProved { return .proved }
        return losses.isEmpty ? .complete : .partial
    }

    /// The repaired file in its layers.
    package var file: [UInt8] { layers.wrap(salvage.bytes) }

    package func count(_ kind: SalvageLoss.Kind) -> Int {
        losses.reduce(0) { $0 + ($1.loss.kind == kind ? $1.loss.count : 0) }
    }

    private static func cause(
        _ bytes: [UInt8], as format: Format, _ salvage: Salvage, isArchive: Bool, _ limits: Limits
    ) -> Problem? {
        guard !salvage.isSound else { return nil }
        // Damage of the bytes explains any fault of the archive.
        if let found = salvage.contradiction, found.id.hasPrefix("damage.") { return found }
        do throws(Problem) {
            let document = try Document.readSave(bytes, as: format, limits: limits)
            if isArchive { _ = try KeyedArchive(document, limits: limits) }
            return salvage.contradiction
        } catch {
            return error
        }
    }

    /// Repairs an archive whose property list is readable. Its objects may be renumbered.
    private static func repairArchive(_ salvage: inout Salvage, _ options: ReadOptions) throws(Problem) {
        guard let (document, losses) = ArchiveSalvage.repaired(salvage.document, limits: options.limits) else { return }
        salvage.addressLosses()
        salvage.losses += losses
        var options = options
        options.isRaw = true
        let save = try Save(salvage.bytes, options)
        salvage.bytes = try save.edited(to: ObjectView(document)).bytes()
        salvage.document = try Save(salvage.bytes, options).source
        salvage.isProved = false
    }

    private static func open(_ bytes: [UInt8], _ options: ReadOptions) throws(Problem) -> (Save, Problem?) {
        do throws(Problem) {
            return (try Save(bytes, options), nil)
        } catch {
            guard !options.isRaw else { throw error }
            var options = options
            options.isRaw = true
            return (try Save(bytes, options), error)
        }
    }

    /// Replaces the repaired save by an edited version.
    mutating func replace(with edited: ObjectView) throws(Problem) {
        salvage.bytes = try save.edited(to: edited).bytes()
        save = try Save(salvage.bytes, options)
        salvage.document = save.source
    }

    // MARK: Addresses

    private static func located(_ losses: [SalvageLoss], in view: ObjectView) -> [Loss] {
        let ids = losses.map { loss in
            if case .object(let id) = loss.place { id } else { nil as ObjectID? }
        }
        let uids = view.uids(of: Set(ids.compactMap(\.self)))
        let values = ids.map { id in id.map { uids[$0].map(view.id(of:)) ?? view.id(stored: $0) } }
        let paths = view.graph.paths(to: Set(values.compactMap(\.self)), longest: longestAddress)
        let addresses = StoredAddressTranslator(view)
        let stored = addresses.ofValues(
            at: losses.map { if case .address(let address) = $0.place { address } else { nil } })
        return losses.indices.map { index in
            if case .address(let address) = losses[index].place {
                return Loss(loss: losses[index], address: view.archive == nil ? address : stored[index])
            }
            let steps = values[index].flatMap { paths[$0] }
            return Loss(loss: losses[index], address: steps.flatMap(addresses.address))
        }
    }

    /// The maximum number of tokens of an address in a report.
    private static let longestAddress = 200
}

extension ObjectView {
    /// Returns the first UID of each stored object that is an object of the archive.
    fileprivate func uids(of objects: Set<ObjectID>) -> [ObjectID: UID] {
        guard let archive, !objects.isEmpty else { return [:] }
        var uids: [ObjectID: UID] = [:]
        for index in 0..<archive.count {
            let id = stored(self.id(of: UID(index)))
            if objects.contains(id), uids[id] == nil { uids[id] = UID(index) }
        }
        return uids
    }
}
