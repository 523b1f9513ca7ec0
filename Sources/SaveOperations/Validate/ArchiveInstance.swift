package import JSONSchema
package import KeyedArchives
import SaveCodec

/// An archive as a schema sees it: its object graph as plain JSON, without writing it.
///
///     view                                            plain JSON
///     Player {health: 100, seen: date, icon: data}    {"$class": "Player", "health": 100,
///                                                      "seen": "2009-09-06T12:34:56Z", "icon": "3q0="}
final class ArchiveInstance: Instance {
    private let view: ObjectView
    private let archive: KeyedArchive

    fileprivate init(_ view: ObjectView, of archive: KeyedArchive) {
        self.view = view
        self.archive = archive
    }

    var root: InstanceID { .value(view.root.index) }
    var count: Int { view.count }
    var byteCount: Int { view.document.imageSize }
    var lastRepeatedKeyWins: Bool { view.document.lastRepeatedKeyWins }

    func value(_ id: InstanceID) -> InstanceValue {
        switch id {
        case .value(let index): InstanceValue(view[ViewID(index)])
        case .name(let index): .string(.units(InstanceText.name(value(.value(index)), of: index)))
        case .className(let number): .string(.text(archive.classes[number].name))
        case .classKey: .string(.units(Self.classKey))
        }
    }

    func element(_ position: Int, of id: InstanceID) -> InstanceID {
        .value(view.item(position, of: contents(of: id)).id.index)
    }

    func member(_ position: Int, of id: InstanceID) -> InstanceMember {
        let contents = contents(of: id)
        guard position < contents.count else {
            return InstanceMember(name: .classKey, value: .className(classNumber(of: id) ?? 0))
        }
        let item = view.item(position, of: contents)
        let key = item.key ?? item.id
        return InstanceMember(
            name: isText(key) ? .value(key.index) : .name(key.index), value: .value(item.id.index))
    }

    func isLarge(_ id: InstanceID) -> Bool {
        switch id {
        case .value(let index): classNumber(of: id) != nil || stored(index).isLarge
        case .name: true
        case .className(let number): archive.classes[number].name.count > InstanceText.longest
        case .classKey: false
        }
    }

    func weight(_ id: InstanceID) -> Int {
        if case .value(let index) = id { stored(index).count } else { 1 }
    }

    func form(of id: InstanceID) -> InstanceForm {
        guard case .value(let index) = id else { return .scalar(.null) }
        return switch view[ViewID(index)].form {
        case .scalar(let node): .scalar(node)
        case .array: .array
        case .set: .set
        case .dictionary: .dictionary
        case .object: .object
        }
    }

    func isObject(_ id: InstanceID) -> Bool? {
        // The dictionary of the roots is stored as neither.
        guard case .value(let index) = id, ViewID(index) != view.root, view.scalarObject(ViewID(index))?.kind != .null
        else { return nil }
        return view.uid(ViewID(index)) != nil
    }

    func classNumber(of id: InstanceID) -> Int? {
        guard case .value(let index) = id else { return nil }
        return view.uid(ViewID(index)).flatMap(archive.classPosition)
    }

    func classNames(_ number: Int) -> [StoredString] {
        [archive.classes[number].name] + (archive.classes[number].chain.map { Array($0) } ?? [])
    }

    func content(of id: InstanceID) -> (any Instance)? {
        guard case .value(let index) = id else { return nil }
        return view.content(of: ViewID(index))
    }

    private func contents(of id: InstanceID) -> ViewContents {
        if case .value(let index) = id { view[ViewID(index)].contents } else { view[view.root].contents }
    }

    private func stored(_ index: Int) -> StoredObject {
        view.document.object(view.stored(ViewID(index)))
    }

    /// Whether a key is a string, without reading one that is stored in place.
    private func isText(_ key: ViewID) -> Bool {
        view.uid(key) == nil ? stored(key.index).kind.isString : view.text(key) != nil
    }

    private static let classKey = Array("$class".utf16)
}

extension InstanceValue {
    fileprivate init(_ value: ViewValue) {
        switch value.form {
        case .scalar(let node): self.init(node)
        case .array, .set: self = .array(count: value.contents.count)
        case .dictionary: self = .object(count: value.contents.count)
        case .object: self = .object(count: value.contents.count + (value.classPosition == nil ? 0 : 1))
        }
    }
}

extension ObjectView {
    /// The view as a schema sees it.
    package var instance: any Instance {
        guard let archive else { return DocumentInstance(document) { self.content(of: self.id(stored: $0)) } }
        return ArchiveInstance(self, of: archive)
    }

    /// The save that data holds, as a schema sees it.
    fileprivate func content(of id: ViewID) -> (any Instance)? {
        (try? nestedSave(in: id))?.view.instance
    }
}

extension Schema {
    /// What in a view is not as the schema demands; nothing if it is valid.
    package func findings(in view: ObjectView, limits: Limits = Limits()) -> [SchemaFinding] {
        if view.archive == nil, holdsQuickly(for: view.document) { return [] }
        return findings(in: view.instance, limits: limits)
    }
}

extension SchemaInference {
    /// A schema as JSON that all samples satisfy.
    package static func schema(of samples: [ObjectView]) -> String {
        schema(of: samples.map(\.instance))
    }
}

extension ViewID {
    fileprivate init(_ index: Int) {
        self.init(stored: ObjectID(index))
    }
}
