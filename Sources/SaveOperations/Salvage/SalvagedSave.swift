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
        package internal(set) var address: JSONPointer?
        /// The number of other slots that share the value.
        package var otherSlotCount = 0
        /// The value that an older save has at the address.
        package var counterpart: Counterpart?
    }

    /// The confidence in a repaired file.
    package enum Confidence: String, Sendable {
        /// The file shows no damage.
        case undamaged = "no-damage-found"
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
    package private(set) var archiveProblem: Problem?
    package internal(set) var losses: [Loss]
    private let options: ReadOptions
    private let damaged: DamagedFile
    /// The salvage before its archive was repaired; nil if that was not necessary.
    private let unrepaired: Salvage?

    /// Repairs a file.
    ///
    /// - Throws: A problem if nothing can be read.
    package init(_ file: [UInt8], _ options: ReadOptions) throws(Problem) {
        let damaged = try DamagedFile.opened(file, options)
        layers = damaged.layers
        do throws(Problem) {
            var salvage = try Self.salvage(damaged)
            let isArchive = !options.isRaw && KeyedArchive.isArchive(salvage.document)
            var reading = options
            (reading.format, reading.layers, reading.origin) = (salvage.format, LayerOptions(), nil)
            reading.limits = damaged.limits
            let list = salvage
            let isRepaired = isArchive ? try Self.repairArchive(&salvage, reading) : false
            unrepaired = isRepaired ? list : nil
            salvage.add(damaged.damage)
            if salvage.secondFile != nil {
                salvage.isProved = false
                salvage.repairs.removeAll { $0.id == "salvage.appended" }
            }
            (save, archiveProblem) = try Self.open(salvage.bytes, reading)
            if salvage.losses.isEmpty, let archive = save.view.archive { salvage.doubt(archive.findings) }
            if list.losses.isEmpty, !salvage.losses.isEmpty { salvage.doubtRoot(of: save.view, list.document) }
            // Bytes that no repair changed may have been damaged where only the archive shows it.
            if archiveProblem != nil {
                salvage.isProved = false
                if salvage.losses.isEmpty {
                    let message = "the archive is not sound, so bytes that read may have been overwritten"
                    salvage.losses = [SalvageLoss(.doubtful, nil, at: .address(.root), message)]
                }
            }
            cause = Self.cause(damaged, salvage, isArchive: isArchive)
            if let undone = damaged.undone {
                salvage.repairs.insert(contentsOf: undone.repairs, at: 0)
                if !undone.isProved { salvage.isProved = false }
            }
            if let preceding = damaged.preceding {
                salvage.repairs.insert(preceding.repair, at: 0)
                // A header of the game's own format is not damage.
                if !preceding.isForeign { salvage.isProved = false }
                if preceding.kind == .unknown, salvage.repairs.contains(where: { $0.id == "salvage.appended" }) {
                    salvage.losses.append(.ofOtherFile)
                }
            }
            self.salvage = salvage
            self.options = reading
            self.damaged = damaged
        } catch {
            throw layers.located(error)
        }
        losses = Self.located(salvage.losses, in: save.view)
    }

    /// The format of the damaged file.
    package var originalFormat: Format { damaged.format }

    /// The format of the repaired file, and the reason why it differs from the original one; nil if it does not.
    package var formatChange: String? {
        let (format, original) = (salvage.format.definition, originalFormat.definition)
        guard salvage.format != originalFormat, !originalFormat.has(.text) else { return nil }
        return "\(format.article)\(format.title), because savetool does not write \(original.article)\(original.title)"
    }

    /// The warnings of a file without known damage, which may come from damage nevertheless.
    package var warnings: [Problem] {
        guard salvage.isSound else { return [] }
        let findings = save.source.warnings + (save.view.archive?.findings ?? [])
        return findings.filter { $0.severity == .warning }
    }

    /// The offset of the second file in the damaged one; nil without a second file, or if it is inside layers.
    package var secondFileOffset: Int? {
        guard layers.isEmpty, let second = salvage.secondFile else { return nil }
        return (damaged.preceding?.count ?? 0) + second.lowerBound
    }

    private static func salvage(_ damaged: DamagedFile) throws(Problem) -> Salvage {
        do throws(Problem) {
            return try damaged.format.definition.salvage(damaged.bytes, limits: damaged.limits)
        } catch {
            guard error.id == "salvage.nothing", let fault = damaged.fault else { throw error }
            throw .nothingToSalvage(fault)
        }
    }

    package var confidence: Confidence {
        if salvage.isProved { return salvage.isSound ? .undamaged : .proved }
        return losses.isEmpty ? .complete : .partial
    }

    /// The repaired file in its layers.
    package var file: [UInt8] {
        let isUnchanged = salvage.bytes == damaged.bytes && damaged.damage.isEmpty
        return isUnchanged ? damaged.file : layers.wrap(salvage.bytes)
    }

    package func count(_ kind: SalvageLoss.Kind) -> Int {
        losses.reduce(0) { $0 + ($1.loss.kind == kind ? $1.loss.count : 0) }
    }

    /// Whether the file was cut off where nothing shows how many values followed.
    package var isCutOff: Bool {
        salvage.isLostCountUnknown
            || salvage.format.has(.text) && losses.contains { $0.loss.isOpen && $0.loss.range != nil }
    }

    /// The number of losses in whose place an older copy's value, key or class was written.
    package var filledCount: Int { losses.count { $0.counterpart?.isFilled ?? false } }

    private static func cause(_ damaged: DamagedFile, _ salvage: Salvage, isArchive: Bool) -> Problem? {
        if let cause = damaged.undone?.cause ?? damaged.damage.first { return cause }
        if let second = salvage.secondFile, salvage.losses.isEmpty {
            if let fault = damaged.fault, fault.id == "damage.second-file" { return damaged.layers.located(fault) }
            return damaged.layers.located(
                .secondFile(of: second.count, after: damaged.format, at: .byte(second.lowerBound)))
        }
        guard !salvage.isSound else { return damaged.preceding?.problem }
        // Damage of the bytes explains any fault of the archive.
        if let found = salvage.contradiction, found.id.hasPrefix("damage.") { return found }
        if let fault = damaged.fault { return damaged.layers.located(fault) }
        do throws(Problem) {
            if isArchive {
                let document = try Document.readSave(
                    damaged.bytes, as: damaged.format, limits: damaged.limits, dialect: .commented)
                let archive = try KeyedArchive(document, limits: damaged.limits)
                let error = archive.findings.first { $0.severity == .error }
                if salvage.contradiction == nil, let error { return damaged.layers.located(error) }
            }
            return (salvage.contradiction ?? damaged.preceding?.problem).map(damaged.layers.located)
        } catch {
            return damaged.layers.located(error)
        }
    }

    /// Repairs an archive whose property list is readable. The objects of the property list may be renumbered, so
    /// losses are located by addresses.
    ///
    /// - Returns: Whether that was necessary and possible.
    private static func repairArchive(
        _ salvage: inout Salvage, _ options: ReadOptions, classes: [Int: [String]] = [:]
    ) throws(Problem) -> Bool {
        let result = ArchiveSalvage.repaired(salvage.document, limits: options.limits, classes: classes)
        guard let result else { return false }
        salvage.dropLosses(of: result.restored)
        salvage.addressLosses()
        salvage.losses += result.losses
        salvage.repairs += result.repairs
        var options = options
        options.isRaw = true
        let save = try Save(salvage.bytes, options)
        salvage.bytes = try save.edited(to: ObjectView(result.document)).bytes()
        salvage.document = try Save(salvage.bytes, options).source
        salvage.isProved = false
        return true
    }

    /// Repairs the archive again, with the lost classes of some objects.
    ///
    /// - Parameter classes: The names of the class and its ancestors, by the number of the object.
    mutating func repairArchive(withClasses classes: [Int: [String]]) throws(Problem) {
        guard var salvage = unrepaired else { return }
        guard try Self.repairArchive(&salvage, options, classes: classes) else { return }
        salvage.add(damaged.damage)
        (salvage.repairs, salvage.contradiction) = (self.salvage.repairs, self.salvage.contradiction)
        save = try Save(salvage.bytes, options)
        self.salvage = salvage
        losses = Self.located(salvage.losses, in: save.view)
        for index in losses.indices {
            guard let name = losses[index].loss.olderClass else { continue }
            losses[index].counterpart = Counterpart(text: "the class \(name)", isFilled: true)
        }
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

    /// Compares the damaged file with a copy that has the same bytes wherever the file shows no damage. Drops the
    /// doubts about objects with the same bytes, and takes the bytes of the copy for everything else.
    ///
    /// - Parameter fills: Whether to take the bytes of the copy. Otherwise only doubts are dropped.
    /// - Returns: Whether the bytes of the copy were taken.
    mutating func fill(from older: ObjectView, fills: Bool) throws(Problem) -> Bool {
        var salvage = unrepaired ?? self.salvage
        guard salvage.format.has(.objectTable), damaged.damage.isEmpty, !self.salvage.losses.contains(.ofOtherFile),
            let copy = IntactCopy(older.document, of: damaged.bytes, salvage.losses)
        else { return false }
        func isProved(_ loss: SalvageLoss) -> Bool {
            loss.kind == .doubtful && loss.range.map(copy.agrees) ?? false
        }
        guard fills else {
            self.salvage.losses.removeAll(where: isProved)
            losses.removeAll { isProved($0.loss) }
            return false
        }
        salvage.losses.removeAll(where: isProved)
        salvage.bytes = copy.bytes
        (save, archiveProblem) = try Self.open(copy.bytes, options)
        salvage.document = save.source
        let count = min(salvage.numberedCount ?? .max, save.source.count)
        for index in salvage.losses.indices {
            guard case .object(let id) = salvage.losses[index].place, id.index >= count else { continue }
            salvage.losses[index].place = .unknown
        }
        (salvage.repairs, salvage.contradiction) = (self.salvage.repairs, self.salvage.contradiction)
        self.salvage = salvage
        losses = Self.located(salvage.losses, in: save.view)
        let view = save.view
        for index in losses.indices {
            let value = losses[index].address.flatMap { ResolvedAddress($0, in: view)?.value }
            var text = value.map { TypePhrase.of($0, in: view) } ?? "the bytes at the same offset"
            // The address of a key is the one of its value.
            if case .object(let id) = salvage.losses[index].place, case let node = save.source[id],
                !save.source.object(id).kind.isContainer
            {
                text = TypePhrase.of(node)
            }
            losses[index].counterpart = Counterpart(text: text, isFilled: true)
        }
        return true
    }

    // MARK: Addresses

    private static func located(_ losses: [SalvageLoss], in view: ObjectView) -> [Loss] {
        let ids = losses.map { loss in
            if case .object(let id) = loss.place { id } else { nil as ObjectID? }
        }
        let uids = view.uids(of: Set(ids.compactMap(\.self)))
        let values = ids.map { id in id.map { uids[$0].map(view.id(of:)) ?? view.id(stored: $0) } }
        let known = Set(values.compactMap(\.self))
        let paths = view.graph.paths(to: known, longest: longestAddress)
        let counts = view.graph.slotCounts(of: known)
        let addresses = StoredAddressTranslator(view)
        let envelope = view.archive?.envelope ?? []
        // A reference is not a value of the graph, but its slot is.
        let uidIDs = view.archive == nil ? [] : ids.compactMap(\.self).filter { view.document.object($0).kind == .uid }
        let references = view.document.addresses(of: Set(uidIDs))
        let stored = addresses.ofValues(
            at: losses.indices.map { index in
                if case .address(let address) = losses[index].place { return address }
                return ids[index].flatMap { references[$0] }
            })
        return losses.indices.map { index in
            if case .address(let address) = losses[index].place {
                let isStored = view.archive == nil || address.tokens.isEmpty
                return Loss(loss: losses[index], address: isStored ? address : stored[index])
            }
            // No path leads to a root that is a scalar, or to the parts of an archive that hold all objects.
            if values[index] == view.root || ids[index].map(envelope.contains) ?? false {
                return Loss(loss: losses[index], address: .root)
            }
            let steps = values[index].flatMap { paths[$0] }
            let count = values[index].flatMap { counts[$0] } ?? 0
            return Loss(
                loss: losses[index], address: steps.flatMap(addresses.address) ?? stored[index],
                otherSlotCount: max(count - 1, 0))
        }
    }

    /// The maximum number of tokens of an address in a report.
    static let longestAddress = 200
}

extension Salvage {
    /// Removes the losses of objects in whose place the only possible value was restored.
    fileprivate mutating func dropLosses(of restored: Set<ObjectID>) {
        guard !restored.isEmpty else { return }
        let addresses = Set(document.addresses(of: restored).values)
        func isRestored(_ loss: SalvageLoss) -> Bool {
            switch loss.place {
            case .object(let id): restored.contains(id)
            case .address(let address): addresses.contains(address)
            case .unknown: false
            }
        }
        // A lost key has two losses with one range: the object, and the key that takes its place.
        let ranges = Set(losses.lazy.filter { $0.kind == .key && isRestored($0) }.compactMap(\.range))
        losses.removeAll { loss in
            guard isRestored(loss) || loss.kind == .value && loss.range.map(ranges.contains) ?? false else {
                return false
            }
            if loss.kind != .doubtful { foundCount += loss.count }
            return true
        }
    }

    /// Doubts the objects of an archive whose fields contradict their classes.
    fileprivate mutating func doubt(_ findings: [Problem]) {
        for finding in findings where finding.severity == .error {
            isProved = false
            losses.append(
                SalvageLoss(.doubtful, nil, at: finding.address.map { .address($0) } ?? .unknown, finding.message))
        }
    }
}

extension Salvage {
    /// Doubts the root of a damaged archive if it does not reach all objects. References that are wrong without being
    /// reported then lead to other objects. An object to which a removed object refers is not counted.
    ///
    /// - Parameter document: The property list before its archive was repaired.
    fileprivate mutating func doubtRoot(of view: ObjectView, _ document: Document) {
        guard let archive = view.archive else { return }
        let referenced = Set((0..<document.count).lazy.compactMap { document.uid(ObjectID($0)) }.map(Int.init))
        let objects = (0..<archive.count).filter { archive.role(of: UID($0)).isObject }
        let reached = view.graph.slotCounts(of: Set(objects.map { view.id(of: UID($0)) }))
        let outside = Set(objects.lazy.filter { !referenced.contains($0) }.map { view.id(of: UID($0)) })
        let count = outside.count { reached[$0] == nil }
        guard count > 0 else { return }
        let message =
            "\(Phrase.count(count, "object", "is")) outside the roots; "
            + "references to \(count == 1 ? "it" : "them") may be damaged"
        losses.append(SalvageLoss(.doubtful, nil, at: .address(.root), message))
    }
}

extension SalvageLoss {
    /// The loss of everything around a save that was found inside other bytes.
    fileprivate static let ofOtherFile = SalvageLoss(
        .doubtful, nil, at: .address(.root),
        "other bytes surround the save, so it may be a part of another file, whose other values are left out")
}

extension KeyedArchive {
    /// The property list and the array that hold all objects.
    fileprivate var envelope: [ObjectID] {
        let root = document.object(document.root)
        return [document.root] + [document.member("$objects", of: root)].compactMap(\.self)
    }
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

    /// Whether a warning of this kind shows that a readable file has bytes that an edit would not keep, and from which
    /// a salvage may get back more.
    package var isSignOfDamage: Bool { id == "binary.gap" || id == "binary.overlap" }

    fileprivate var isTypedMistake: Bool { isOf(.gnustep, .json, .openstep) }
}
