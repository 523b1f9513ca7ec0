package import KeyedArchives
package import SaveCodec

extension Migration {
    /// What migrations make of a save.
    package struct Result: Sendable {
        /// The save as edited; nil if it stays as it was.
        package let edited: ObjectView?
        /// How many records, objects, keys and values each rule has changed, migration by migration.
        package let counts: [[Int]]
    }

    /// Applies migrations, one after another, and puts down the version that the last one makes. Rules for classes hold
    /// in saves that are stored as data, too, if the view opens those.
    ///
    /// Takes time in proportion to the size of the save times the number of rules.
    ///
    /// - Throws: the first problem, of what a rule cannot do. The view stays as it was.
    package static func apply(
        _ migrations: [Migration], to view: ObjectView, limits: Limits = Limits()
    ) throws(Problem) -> Result {
        try apply(migrations, to: view, limits, isWhole: true)
    }

    /// Gives a class another name, and nothing else.
    package static func renameClass(
        _ old: [UInt16], to new: [UInt16], in view: ObjectView, limits: Limits = Limits()
    ) throws(Problem) -> Result {
        let migration = Migration(
            name: "", from: nil, to: .integer(0), at: .root, rules: [.renameClass(old, to: new)],
            values: view.document, version: view.document.root)
        return try apply([migration], to: view, limits, isWhole: false)
    }

    /// - Parameter isWhole: whether roots, addresses and the version are those of the save; else classes are all that is
    ///   changed.
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

/// Applies rules to a draft.
private struct MigrationApplication: ~Copyable {
    var edit: PatchApplication
    private let view: ObjectView
    private let limits: Limits
    /// How much has been added to objects.
    private var addedSize = 0
    private var last: Migration?
    /// Whether roots, addresses and the version are those of the save.
    private let isWhole: Bool

    init(_ edit: consuming PatchApplication, _ limits: Limits, isWhole: Bool) {
        self.isWhole = isWhole
        view = edit.draft.view
        self.edit = edit
        self.limits = limits
    }

    /// Applies the rules of a migration, and returns how much each has changed.
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
                    error.kind, "rule \(position + 1) of \(migration.name): \(error.message)", at: error.place,
                    address: error.address)
            }
        }
        return counts
    }

    /// The document; nil if nothing has changed.
    consuming func finish() throws(Problem) -> ObjectView? {
        if isWhole, let last {
            var reader = ValueReader(last.values, rules: .lenient, for: edit.draft)
            do throws(Problem) {
                try edit.set(last.version, at: last.address, with: &reader)
            } catch {
                throw Problem(
                    error.kind, "the version cannot be put down: \(error.message)",
                    address: error.address ?? last.address)
            }
        }
        return try edit.finish().edited
    }

    private mutating func apply(
        _ rule: MigrationRule, values: inout ValueReader, fields: inout ValueReader
    ) throws(Problem) -> Int {
        switch rule {
        case .renameClass(let old, let new): return edit.draft.renameClass(old, to: new)
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
            return try add(name, to: className, value, &fields)
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

    /// Changes the objects of a class, and returns how many have been.
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
                "\(Self.shown(old)) cannot be renamed to \(Self.shown(new)), which is there already",
                address: address(of: container, new))
        }
    }

    private mutating func add(
        _ name: [UInt16], to className: [UInt16], _ value: ObjectID, _ reader: inout ValueReader
    ) throws(Problem) -> Int {
        let key = edit.draft.add(string: name)
        var count = 0
        for object in edit.draft.objects(ofClass: className) where edit.draft.slot(named: name, of: object) == nil {
            let before = edit.draft.added.count
            let new = try reader.read(value, like: nil, in: &edit.draft)
            let end = edit.draft.value(object).count
            edit.draft.insert(new.id, key: key, at: end, of: object, inPlace: new.isInPlace)
            addedSize += edit.draft.size(ofAddedFrom: before)
            // A value of any size may come to any number of objects.
            try limits.check(expandedSize: addedSize, of: view.document)
            count += 1
        }
        return count
    }

    /// - Parameter known: what values have been converted to, as an object may be referred to from many places.
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
        let target = conversion.type.map { "of the type \($0.rawValue)" } ?? "multiplied"
        return "found \(edit.draft.brief(value)), which cannot be made one \(target)"
    }

    private static func shown(_ name: [UInt16]) -> String { SafeText.escaping(name.prefix(80)) }

    /// The address of a field as the save has it before it is migrated; nil for that of a new object.
    private func address(of object: Draft.ID, _ name: [UInt16]) -> JSONPointer? {
        var address: JSONPointer? = .root
        if object != edit.draft.root {
            address = edit.draft.viewID(of: object).flatMap(view.uid).flatMap {
                ViewAddresses(view).ofObjects([$0])[$0]
            }
        }
        address?.append(key: name)
        return address
    }
}
