#if os(Linux)
    import Foundation
    import Testing

    /// Tests that an edit keeps the extended attributes, the access control list and the permissions of a file.
    @Suite struct AttributeTests {
        private let workspace: Workspace
        private let attributes: FileAttributes

        init() throws {
            workspace = try Workspace()
            try workspace.write(#"{"gems": 7}"#, to: "a.json")
            attributes = FileAttributes(at: workspace.path(of: "a.json"))
        }

        private func permissions() throws -> Int {
            let all = try FileManager.default.attributesOfItem(atPath: workspace.path(of: "a.json"))
            return try #require(all[.posixPermissions] as? NSNumber).intValue
        }

        private func edit(_ options: String..., saying talk: String = "") throws {
            let result = workspace.run(["set", "-iq"] + options + ["a.json", "/gems", "8"])
            #expect(result == Workspace.Result(status: 0, output: "", talk: talk))
            #expect(try workspace.text(of: "a.json") == #"{"gems": 8}"#)
        }

        @Test(arguments: [[UInt8](), Array("hello".utf8), [0, 1, 0, 255], [UInt8](repeating: 7, count: 3000)])
        func keepsAttributes(_ value: [UInt8]) throws {
            try #require(attributes.set("user.note", to: value), "the file system has no attributes")
            try #require(attributes.set("user.n\u{E4}me", to: [1]))
            try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: attributes.path)
            try edit()
            #expect(attributes.value(of: "user.note") == value)
            #expect(attributes.value(of: "user.n\u{E4}me") == [1])
            #expect(try permissions() == 0o444)
        }

        /// The group permissions of a file with an access control list are the list's mask.
        @Test(arguments: [[], ["--backup"]]) func groupGainsNoPermissions(_ options: [String]) throws {
            try #require(attributes.setAccessList(group: 0, mask: 6, others: 0), "the file system has no access lists")
            let list = attributes.value(of: FileAttributes.accessList)
            #expect(try permissions() == 0o660)
            let result = workspace.run(["set", "-iq"] + options + ["a.json", "/gems", "8"])
            #expect(result == Workspace.Result(status: 0, output: ""))
            #expect(attributes.value(of: FileAttributes.accessList) == list)
            #expect(try permissions() == 0o660)
            guard !options.isEmpty else { return }
            #expect(FileAttributes(at: workspace.path(of: "a.json~")).value(of: FileAttributes.accessList) == list)
        }

        /// A folder may have a default access control list for new files. A replaced file must not get it, because it
        /// could admit users that the old file kept out.
        @Test func inheritedAccessListAppliesToNewFilesOnly() throws {
            let folder = FileAttributes(at: workspace.path(of: ""))
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: attributes.path)
            try #require(
                folder.setAccessList(FileAttributes.defaultList, group: 0, mask: 6, others: 0),
                "the file system has no access lists")
            try edit()
            #expect(attributes.value(of: FileAttributes.accessList) == nil)
            #expect(try permissions() == 0o640)
            #expect(workspace.run(["set", "-o", "b.json", "a.json", "/gems", "9"]).status == 0)
            #expect(FileAttributes(at: workspace.path(of: "b.json")).value(of: FileAttributes.accessList) != nil)
        }
    }
#endif
