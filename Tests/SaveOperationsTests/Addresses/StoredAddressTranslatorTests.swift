import Foundation
import KeyedArchives
import SaveCodec
@testable import SaveOperations
import TestSupport
import Testing

/// Addresses in the stored property list of an archive are translated to addresses in its objects.
@Suite struct StoredAddressTranslatorTests {
    private static let json = """
        {"$archiver": "NSKeyedArchiver", "$version": 100000,
         "$classes": {"Map": ["Map", "NSObject"]},
         "$top": {"n": 7, "root": {"$class": "Map", "name": "Swamp", "x": 1.5, "raw": {"$inline": [1, [2]]},
            "list": {"$class": "NSArray", "$elements": ["a", {"$class": "Map", "y": 2}]},
            "dict": {"k": "v", "0": "w"}, "when": {"$date": 0}}}}
        """

    /// Every scalar of the stored property list that belongs to an object is found, at an address with the same scalar.
    @Test func everyScalar() throws {
        let archive = try KeyedArchive(GraphJSON.archive(from: JSON.readTyped(Array(Self.json.utf8))))
        let (view, stored) = (ObjectView(archive), ObjectView(archive.document))
        var pending = [(JSONPointer.root, stored.root)]
        var found: [String] = []
        while let (address, id) = pending.popLast() {
            if let node = stored.scalar(id),
                case let translated = StoredAddressTranslator(view).ofValues(at: [address])[0],
                let translated, case .found(let value, _) = view.find(translated)
            {
                found.append("\(translated)")
                // A field of a Foundation object translates to the whole object, and a key to its value.
                if case .string(let text) = node, !["k", "0"].contains(text.string), case .string = view.scalar(value) {
                    #expect(view.text(value)?.elementsEqual(text) ?? false, "\(address)")
                }
            }
            let contents = stored[id].contents
            for position in 0..<contents.count {
                let item = stored.item(position, of: contents)
                var next = address
                if let key = item.key.flatMap(stored.text) {
                    next.append(key: key)
                } else {
                    next.append(index: position)
                }
                pending.append((next, item.id))
            }
        }
        for expected in [
            "/n", "/root/name", "/root/x", "/root/raw/0", "/root/raw/1/0", "/root/list/0", "/root/list/1/y",
            "/root/dict/k",
            "/root/dict/0", "/root/when",
        ] {
            #expect(found.contains(expected), "\(expected)")
        }
    }

    @Test(arguments: ["/$version", "/$objects/999/x", "/$objects", "", "/$objects/x"]) func missingAddress(
        _ text: String
    ) throws {
        let archive = try KeyedArchive(GraphJSON.archive(from: JSON.readTyped(Array(Self.json.utf8))))
        #expect(StoredAddressTranslator(ObjectView(archive)).ofValues(at: [JSONPointer(text), nil]) == [nil, nil])
    }

    /// Every object of the corpus that is reachable from a root has an address that leads back to it.
    @Test func corpus() throws {
        guard let folder = TestFiles.folder("SAVETOOL_CORPUS") else { return }
        var count = 0
        for file in try TestFiles.files(under: folder) {
            guard let bytes = try? TestFiles.bytes(file.url), let format = try? Format.recognize(bytes),
                let document = try? Document.read(bytes, as: format), KeyedArchive.isArchive(document),
                let archive = try? KeyedArchive(document), archive.count < 3000
            else { continue }
            let view = ObjectView(archive)
            let stored = (0..<archive.count).map {
                JSONPointer(tokens: [Array("$objects".utf16), Array("\($0)".utf16)])
            }
            for (index, address) in StoredAddressTranslator(view).ofValues(at: stored).enumerated() {
                guard let address, case .found(let id, _) = view.find(address), view.uid(id) != nil else { continue }
                // A key has the address of its value.
                if view.uid(id) == UID(index) { count += 1 }
            }
        }
        #expect(count > 1000)
    }
}
