package import KeyedArchives
package import SaveCodec

extension Migration {
    /// The result of migrating a save.
    package struct Result: Sendable {
        /// The edited save; nil if nothing changed.
        package let edited: ObjectView?
        /// For each rule of each migration, the number of class records, objects, keys and values that it changed.
        package let counts: [[Int]]
    }

    /// Applies migrations in order, and sets the version of the last one. Rules for classes apply to nested saves, too,
    /// if the view opens these.
    ///
    /// Time is proportional to the size of the save times the number of rules.
    ///
    /// - Throws: The first problem of a rule. The view is never changed.
    package static func apply(
        _ migrations: [Migration], to view: ObjectView, limits: Limits = Limits()
    ) throws(Problem) -> Result {
        try apply(migrations, to: view, limits, isWhole: true)
    }

    /// Renames classes, and changes nothing else.
    package static func rename(
        _ renaming: ClassRenaming, in view: ObjectView, limits: Limits = Limits()
    ) throws(Problem) -> Result {
        let migration = Migration(
            name: "", Migration.Versions(from: nil, to: .integer(0), at: .root), rules: [.rename(renaming)],
            values: view.document, version: view.document.root)
        return try apply([migration], to: view, limits, isWhole: false)
    }

    /// - Parameter isWhole: Whether rules for the root and for addresses apply, and the version is set; false for
    ///   nested saves.
    private static func apply(
        _ migrations: [Migration], to view: ObjectView, _ limits: Limits, isWhole: Bool
    ) throws(Problem) -> Result {
        guard !migrations.isEmpty else { return Result(edited: nil, counts: []) }
        var application = MigrationApplication(
            try PatchApplication(Draft(view), limits, changesType: true), limits, isWhole: isWhole)
        var counts = migrations.map { [Int](repeating: 0, count: $0.rules.count) }
        func add(_ more: [[Int]]) {
            counts = zip(counts, more).map { zip($0, $1).map(+) }
        }
        try application.edit.draft.changeSaves(limits) { view throws(Problem) in
            let result = try apply(migrations, to: view, limits, isWhole: false)
            add(result.counts)
            return result.edited
        }
        var own: [[Int]] = []
        for migration in migrations { own.append(try application.apply(migration)) }
        add(own)
        return Result(edited: try application.finish(), counts: counts)
    }
}

private struct MigrationApplication: ~Copyable {
    var edit: PatchApplication
    private let view: ObjectView
    private let limits: Limits
    /// The total size of the added values.
    private var addedSize = 0
    private var last: Migration?
    /// Whether rules for the root and for addresses apply, and the version is set.
    private let isWhole: Bool

    init(_ edit: consuming PatchApplication, _ limits: Limits, isWhole: Bool) {
        self.isWhole = isWhole
        view = edit.draft.view
        self.edit = edit
        self.limits = limits
    }

    /// Applies the rules of a migration, and returns the number of changes by each rule.
    mutating func apply(_ migration: Migration) throws(Problem) -> [Int] {
        last = migration
        var values = ValueReader(migration.values, rules: .lenient, for: edit.draft)
        var fields = ValueReader(migration.values, rules: .patch, for: edit.draft)
        var counts: [Int] = []
        for (position, rule) in migration.rules.enumerated() {
            do throws(Problem) {
                counts.append(try apply(rule, values: &values, fields: &fields))
            } catch {
                throw Problem(
                    error.kind, "rule \(position + 1) of \(migration.name): \(error.message)", at: error.location,
                    address: error.address)
            }
        }
        return counts
    }

    /// Sets the version and returns the edited view; nil if nothing changed.
    consuming func finish() throws(Problem) -> ObjectView? {
        if isWhole, let last {
            var reader = ValueReader(last.values, rules: .lenient, for: edit.draft)
            do throws(Problem) {
                try edit.set(last.version, at: last.address, with: &reader)
            } catch {
                throw Problem(
                    error.kind, "the version cannot be stored: \(error.message)",
                    address: error.address ?? last.address)
            }
        }
        return try edit.finish().edited
    }

    private mutating func apply(
        _ rule: MigrationRule, values: inout ValueReader, fields: inout ValueReader
    ) throws(Problem) -> Int {
        switch rule {
        case .rename(let renaming): return edit.draft.rename(renaming)
        case .setAncestors(let name, let ancestors): return edit.draft.setAncestors(of: name, to: ancestors)
        case .renameField(let old, let className, let new):
            let key = edit.draft.add(string: new)
            return try change(className) { application, object throws(Problem) in
                try application.rename(old, to: key, named: new, in: object)
            }
        case .dropField(let name, let className):
            return try change(className) { application, object throws(Problem) in
                guard let position = application.edit.draft.slot(named: name, of: object) else { return false }
                application.edit.draft.removeKey(at: position, of: object)
                return true
            }
        case .addField(let name, let className, let value):
            return try add(name, to: className, value, by: &fields)
        case .convertField(let name, let className, let conversion):
            var known: [Draft.ID: Draft.ID] = [:]
            return try change(className) { application, object throws(Problem) in
                try application.convert(name, of: object, by: conversion, &known)
            }
        case .moveRoot where !isWhole, .replace where !isWhole: return 0
        case .moveRoot(let old, let new):
            let key = edit.draft.add(string: new)
            guard edit.draft.isKeyed(edit.draft.root) else { return 0 }
            return try rename(old, to: key, named: new, in: edit.draft.root) ? 1 : 0
        case .replace(let address, let value):
            guard edit.draft.find(address) != nil else { return 0 }
            try edit.set(value, at: address, with: &values)
            return 1
        }
    }

    /// Applies a change to the objects of a class, and returns the number of changed objects.
    private mutating func change(
        _ className: [UInt16], _ change: (inout MigrationApplication, Draft.ID) throws(Problem) -> Bool
    ) throws(Problem) -> Int {
        var count = 0
        for object in edit.draft.objects(ofClass: className) where try change(&self, object) { count += 1 }
        return count
    }

    private mutating func rename(
        _ old: [UInt16], to key: Draft.ID, named new: [UInt16], in container: Draft.ID
    ) throws(Problem) -> Bool {
        do throws(Draft.NameTaken) {
            return try edit.draft.rename(old, to: key, named: new, in: container)
        } catch {
            throw Problem(
                "migrate.name-taken",
                "\(Self.shown(old)) cannot be renamed to \(Self.shown(new)), which already exists",
                address: address(of: container, new))
        }
    }

    private mutating func add(
        _ name: [UInt16], to className: [UInt16], _ value: ObjectID, by reader: inout ValueReader
    ) throws(Problem) -> Int {
        let key = edit.draft.add(string: name)
        var count = 0
        for object in edit.draft.objects(ofClass: className) where edit.draft.slot(named: name, of: object) == nil {
            let before = edit.draft.values.added.count
            let new = try reader.read(value, like: nil, in: &edit.draft)
            let end = edit.draft.value(object).count
            edit.draft.insert(new.id, key: key, at: end, of: object, inPlace: new.isInPlace)
            addedSize += edit.draft.values.size(ofAddedFrom: before)
            // A large value may be added to many objects.
            try limits.check(expandedSize: addedSize, of: view.document)
            count += 1
        }
        return count
    }

    /// - Parameter known: The values that are already converted, since several fields may refer to one object.
    private mutating func convert(
        _ name: [UInt16], of object: Draft.ID, by conversion: FieldConversion, _ known: inout [Draft.ID: Draft.ID]
    ) throws(Problem) -> Bool {
        guard let position = edit.draft.slot(named: name, of: object),
            let item = edit.draft.item(position, of: object)
        else { return false }
        guard let new = known[item.value] ?? edit.draft.converted(item.value, conversion) else {
            throw Problem("migrate.value", sentence(item.value, conversion), address: address(of: object, name))
        }
        known[item.value] = new
        let storage = edit.draft.isNull(item.value) ? nil : conversion.storage.map { $0 == .inPlace }
        guard new != item.value || storage ?? item.isInPlace != item.isInPlace else { return false }
        edit.draft.replace(at: position, of: object, with: new, inPlace: storage)
        return true
    }

    // MARK: Sentences

    private mutating func sentence(_ value: Draft.ID, _ conversion: FieldConversion) -> String {
        let target = conversion.type.map { "converted to the type \($0.rawValue)" } ?? "multiplied"
        return "found \(edit.draft.brief(value)), which cannot be \(target)"
    }

    private static func shown(_ name: [UInt16]) -> String { Phrase.name(name) }

    /// Returns the address of a field in the save before the migration; nil for a field of a new object.
    private func address(of object: Draft.ID, _ name: [UInt16]) -> JSONPointer? {
        var address: JSONPointer? = .root
        if object != edit.draft.root {
            address = edit.draft.viewID(of: object).flatMap(view.uid).flatMap {
                StoredAddressTranslator(view).ofObjects([$0])[$0]
            }
        }
        address?.append(key: name)
        return address
    }
}

// MARK: Drafts

/// The changes that migrations make to classes and fields. The methods that change classes return the number of changed
/// class records.
extension Draft {
    // MARK: Classes

    /// Renames classes in all class records.
    mutating func rename(_ renaming: ClassRenaming) -> Int {
        classes.change { record in
            ArchiveClass(
                name: renaming.renamed(record.name) ?? record.name,
                chain: record.chain.map { renaming.renamed(list: $0) },
                hints: record.hints.map { renaming.renamed(list: $0) })
        }
    }

    /// Replaces the ancestors of a class and of its subclasses.
    mutating func setAncestors(of name: [UInt16], to ancestors: [[UInt16]]) -> Int {
        classes.change { record in
            let position = record.chain?.firstIndex { SwiftTypeName.isSpelling(name, of: $0) }
            guard let chain = record.chain, let position else {
                guard SwiftTypeName.isSpelling(name, of: record.name) else { return record }
                return ArchiveClass(name: record.name, chain: [record.name] + ancestors, hints: record.hints)
            }
            return ArchiveClass(name: record.name, chain: chain[...position] + ancestors, hints: record.hints)
        }
    }

    /// Returns the objects of a class and its subclasses, if they are stored as fields. The objects of the archive,
    /// including unreachable ones, are in UID order, followed by new objects.
    mutating func objects(ofClass name: [UInt16]) -> [ID] {
        let isMeant = (0..<classes.count).map { number in
            let record = classes[number]
            return ([record.name] + (record.chain ?? [])).contains { SwiftTypeName.isSpelling(name, of: $0) }
        }
        guard isMeant.contains(true) else { return [] }
        let stored = (0..<(view.archive?.count ?? 0)).map { view.document.count + $0 }
        let new = values.added.indices.map { view.count + $0 }
        return (stored + new).map { ID(index: $0) }.filter { id in
            guard let number = classNumber(of: id), isMeant[number] else { return false }
            if let number = openedNumber(id.index) { return values.containers[number].kind == .object }
            guard let viewID = viewID(of: id), case .object = view[viewID].variant else { return false }
            return true
        }
    }

    // MARK: Fields

    /// Returns the position of a field or a key; nil if it does not exist. Does not open a container without that key
    /// for editing.
    mutating func slot(named name: [UInt16], of container: ID) -> Int? {
        if openedNumber(container.index) == nil, let id = viewID(of: container),
            view.position(of: AddressToken(name), in: id) == nil
        {
            return nil
        }
        return position(of: name, in: container)
    }

    /// Renames a field or a key, including all its duplicates.
    ///
    /// - Returns: False if the old name does not exist.
    /// - Throws: ``NameTaken`` if the new name exists already.
    mutating func rename(_ old: [UInt16], to new: ID, named name: [UInt16], in container: ID) throws(NameTaken) -> Bool
    {
        guard let position = slot(named: old, of: container) else { return false }
        if slot(named: name, of: container) != nil { throw NameTaken() }
        renameKey(at: position, of: container, to: new)
        return true
    }

    struct NameTaken: Error {}
}

// MARK: Nested saves

extension Draft {
    /// Edits the nested saves in values, each once even if several slots refer to it. A value that only begins like a
    /// save stays unchanged.
    ///
    /// - Parameter change: Edits a save; returns nil to keep it.
    fileprivate mutating func changeSaves(
        _ limits: Limits, _ change: (ObjectView) throws(Problem) -> ObjectView?
    ) throws(Problem) {
        var values: [ViewID: ID] = [:]
        for id in view.nestedSaveValues {
            do throws(Problem) {
                guard let save = try openedSave(in: id), let edited = try change(save.view) else { continue }
                values[id] = try add(save, editedTo: edited, limits: limits)
            } catch {
                let path = view.graph.paths(to: [id], longest: 200)[id]
                guard let address = path.flatMap(StoredAddressTranslator(view).address) else {
                    var problem = error
                    problem.address = nil
                    throw problem
                }
                throw error.within(saveAt: address)
            }
        }
        guard !values.isEmpty else { return }
        if let value = values[view.root] { replaceRoot(with: value) }
        let graph = view.graph
        for container in graph.containers {
            for position in 0..<container.count {
                guard let value = values[graph.value(position, of: container)] else { continue }
                replace(at: position, of: id(of: container.id), with: value)
            }
        }
    }

    /// Returns the nested save in a data value; nil if it holds none.
    ///
    /// - Throws: A problem if the nested saves together exceed a limit.
    private func openedSave(in id: ViewID) throws(Problem) -> NestedSave? {
        do throws(Problem) {
            return try view.nestedSave(in: id)
        } catch {
            if error.id == Problem.nestedTooLarge().id { throw error }
            return nil
        }
    }
}
