import Foundation
import TestSupport
import Testing

/// Tests that Foundation reads archives in which the module of a Swift class was renamed.
@Suite struct SwiftClassTests {
    /// Writes a list of two objects, whose class has another name in the archive.
    private static func archive(of className: String) throws -> Data {
        let archiver = NSKeyedArchiver(requiringSecureCoding: false)
        archiver.setClassName(className, for: SwiftItem.self)
        let first = SwiftItem(name: "sword", next: nil)
        archiver.encode([first, SwiftItem(name: "shield", next: first)], forKey: NSKeyedArchiveRootObjectKey)
        archiver.finishEncoding()
        return archiver.encodedData
    }

    private static func rename(_ arguments: [String], _ data: Data) throws -> Data {
        let workspace = try Workspace()
        try data.write(to: workspace.folder.appending(path: "old.save"))
        let result = workspace.run(["rename-class", "-iq"] + arguments + ["old.save"])
        #expect(result == Workspace.Result(status: 0, output: ""))
        return Data(try workspace.bytes(of: "old.save"))
    }

    @Test(arguments: [
        ["OldModule.*", "SaveToolKitTests.*"], ["OldModule.SwiftItem", "SaveToolKitTests.SwiftItem"],
    ])
    func foundationReadsRenamedModule(_ names: [String]) throws {
        let data = try Self.rename(names, Self.archive(of: "OldModule.SwiftItem"))
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
        unarchiver.requiresSecureCoding = false
        try Self.check(unarchiver)
    }

    /// On Linux, Foundation does not find classes by mangled names, so the test names the class.
    @Test(arguments: [
        ("_TtCC9OldModule4Game9SwiftItem", "_TtCC16SaveToolKitTests4Game9SwiftItem"),
        (
            "_TtC9OldModuleP33_0123456789ABCDEF0123456789ABCDEF9SwiftItem",
            "_TtC16SaveToolKitTestsP33_0123456789ABCDEF0123456789ABCDEF9SwiftItem"
        ),
        ("_TtGC9OldModule3BoxCS_4Item_", "_TtGC16SaveToolKitTests3BoxCS_4Item_"),
    ])
    func foundationReadsMangledNames(_ old: String, _ new: String) throws {
        let data = try Self.rename(["OldModule.*", "SaveToolKitTests.*"], Self.archive(of: old))
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
        unarchiver.requiresSecureCoding = false
        unarchiver.setClass(SwiftItem.self, forClassName: new)
        try Self.check(unarchiver)
    }

    private static func check(_ unarchiver: NSKeyedUnarchiver) throws {
        let items = try #require(unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey) as? [SwiftItem])
        #expect(items.map(\.name) == ["sword", "shield"])
        #expect(items.last?.next === items.first)
        #expect(unarchiver.error == nil)
    }
}

/// A class of the game, which Foundation finds by the name of this module.
final class SwiftItem: NSObject, NSCoding {
    let name: String
    let next: SwiftItem?

    init(name: String, next: SwiftItem?) {
        (self.name, self.next) = (name, next)
    }

    init?(coder: NSCoder) {
        name = coder.decodeObject(forKey: "name") as? String ?? ""
        next = coder.decodeObject(forKey: "next") as? SwiftItem
    }

    func encode(with coder: NSCoder) {
        coder.encode(name, forKey: "name")
        coder.encode(next, forKey: "next")
    }
}
