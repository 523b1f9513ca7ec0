#if os(Linux)
    import Foundation
    import Testing

    /// Tests edits of other users' files. The tool runs as an unprivileged user, which only root can arrange.
    @Suite(.enabled(if: Programs.runAsOthers, "needs root, setpriv and the built tool beside the tests"))
    struct OwnerTests {
        private static let user = 65_534
        private let workspace: Workspace

        init() throws {
            workspace = try Workspace()
            // The unprivileged user may not have access to the build folder.
            try Programs.copy(#require(Programs.savetool), to: workspace.folder.appending(path: "tool"))
            try workspace.write(#"{"gems": 7}"#, to: "a.json")
            try set([.ownerAccountID: Self.user, .groupOwnerAccountID: Self.user, .posixPermissions: 0o755], of: "")
        }

        private func set(_ attributes: [FileAttributeKey: Any], of name: String) throws {
            try FileManager.default.setAttributes(attributes, ofItemAtPath: workspace.path(of: name))
        }

        /// Returns the owner, the group and the permissions of a file.
        private func owner(of name: String) throws -> [Int] {
            let attributes = try FileManager.default.attributesOfItem(atPath: workspace.path(of: name))
            return [.ownerAccountID, .groupOwnerAccountID, .posixPermissions].map { (key: FileAttributeKey) in
                (attributes[key] as? NSNumber)?.intValue ?? -1
            }
        }

        /// Runs the tool as the unprivileged user.
        private func run(_ arguments: String...) throws -> (status: Int32, talk: String) {
            let process = Process()
            process.executableURL = Programs.setpriv
            process.arguments =
                ["--reuid", "\(Self.user)", "--regid", "\(Self.user)", "--clear-groups", workspace.path(of: "tool")]
                + arguments
            process.currentDirectoryURL = workspace.folder
            let talk = Pipe()
            process.standardError = talk
            try process.run()
            let text = String(decoding: talk.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            return (process.terminationStatus, text)
        }

        private static let edited = #"{"gems": 8}"#

        struct Case: Sendable, CustomTestStringConvertible {
            /// The owner, the group and the permissions of the file.
            let before: [Int]
            /// The expected error without `--new-owner`, or nil if the file is written.
            let refusal: String?
            /// The owner, the group and the permissions with `--new-owner`, or nil if the file is refused.
            let after: [Int]?
            var testDescription: String { "\(before)" }
        }

        static let cases = [
            Case(
                before: [0, 0, 0o666],
                refusal: "cannot keep the owner root; use --new-owner to make the new file yours",
                after: [user, user, 0o666]),
            // If the group changes, the new group and others get only the rights that both had before.
            Case(
                before: [0, 0, 0o4676],
                refusal: "cannot keep the owner root; use --new-owner to make the new file yours",
                after: [user, user, 0o666]),
            Case(
                before: [0, user, 0o2460],
                refusal: "cannot keep the owner root; use --new-owner to make the new file yours",
                after: [user, user, 0o2460]),
            Case(
                before: [user, 0, 0o6755],
                refusal: "cannot keep the group root; use --new-owner to make the new file yours",
                after: [user, user, 0o755]),
            Case(
                before: [4242, 4242, 0o606],
                refusal: "cannot keep the owner 4242; use --new-owner to make the new file yours",
                after: [user, user, 0o600]),
            Case(before: [user, user, 0o640], refusal: nil, after: [user, user, 0o640]),
            Case(before: [0, 0, 0o644], refusal: "permission denied", after: nil),
        ]

        @Test(arguments: cases) func keepsOwnerUnlessNewOwnerIsGiven(_ row: Case) throws {
            try set([.ownerAccountID: row.before[0], .groupOwnerAccountID: row.before[1]], of: "a.json")
            try set([.posixPermissions: row.before[2]], of: "a.json")
            let refused = try run("set", "-iq", "--backup", "a.json", "/gems", "8")
            #expect(refused.status == (row.refusal == nil ? 0 : 2))
            #expect(refused.talk == (row.refusal.map { "a.json: \($0)\n" } ?? ""))
            #expect(try owner(of: "a.json") == row.before)
            #expect(try workspace.text(of: "a.json") == (row.refusal == nil ? Self.edited : #"{"gems": 7}"#))
            guard row.refusal != nil else { return }
            #expect(workspace.names == ["a.json", "tool"])
            let allowed = try run("set", "-iq", "--backup", "--new-owner", "a.json", "/gems", "8")
            #expect(allowed.status == (row.after == nil ? 2 : 0), "\(allowed.talk)")
            #expect(try owner(of: "a.json") == row.after ?? row.before)
            guard row.after != nil else { return }
            #expect(try workspace.text(of: "a.json") == Self.edited)
            #expect(try workspace.text(of: "a.json~") == #"{"gems": 7}"#)
            #expect(workspace.names == ["a.json", "a.json~", "tool"])
        }

        /// In a sticky folder such as /tmp, only the owner may replace a file.
        @Test func rejectsFileOfOtherUserInStickyFolder() throws {
            try set([.ownerAccountID: 0, .groupOwnerAccountID: 0, .posixPermissions: 0o666], of: "a.json")
            try set([.ownerAccountID: 0, .posixPermissions: 0o1777], of: "")
            let result = try run("set", "-iq", "--new-owner", "a.json", "/gems", "8")
            #expect(result.status == 2)
            #expect(
                result.talk
                    == "a.json: only its owner can replace this file, because its folder is sticky, as /tmp is; "
                    + "use --output FILE to write another one\n")
            #expect(try workspace.text(of: "a.json") == #"{"gems": 7}"#)
        }

        /// If an attribute can be read but not written, a warning says so.
        @Test func warnsAboutAttributeThatCannotBeKept() throws {
            let attributes = FileAttributes(at: workspace.path(of: "a.json"))
            try set([.ownerAccountID: Self.user, .groupOwnerAccountID: Self.user], of: "a.json")
            try #require(attributes.set("security.note", to: [1]), "the file system has no such attributes")
            #expect(attributes.set("user.note", to: [2]))
            let result = try run("set", "-iq", "a.json", "/gems", "8")
            #expect(
                result.talk
                    == "a.json: warning: cannot keep the extended attribute security.note: operation not "
                    + "permitted\n")
            #expect(result.status == 0)
            #expect(try workspace.text(of: "a.json") == Self.edited)
            #expect(attributes.value(of: "user.note") == [2])
        }

        /// An access control list would have another meaning under a new owner.
        @Test func rejectsAccessListUnderNewOwner() throws {
            let attributes = FileAttributes(at: workspace.path(of: "a.json"))
            try set([.ownerAccountID: 0, .posixPermissions: 0o666], of: "a.json")
            try #require(attributes.setAccessList(group: 0, mask: 6, others: 6), "the file system has no access lists")
            let result = try run("set", "-iq", "--new-owner", "a.json", "/gems", "8")
            #expect(
                result.talk
                    == "a.json: cannot keep the access control list, and without it other users might get more access; "
                    + "use --output FILE to write another one\n")
            #expect(result.status == 2)
            #expect(try workspace.text(of: "a.json") == #"{"gems": 7}"#)
            #expect(workspace.names == ["a.json", "tool"])
        }

        /// If the folder cannot be locked, the file is edited with a warning.
        @Test func warnsAboutFolderThatCannotBeLocked() throws {
            try set([.ownerAccountID: Self.user, .groupOwnerAccountID: Self.user], of: "a.json")
            try set([.ownerAccountID: 0, .posixPermissions: 0o733], of: "")
            let result = try run("set", "-iq", "a.json", "/gems", "8")
            #expect(
                result.talk
                    == "a.json: warning: cannot lock its folder: permission denied; changes by other programs "
                    + "are detected only by comparing the file\n")
            #expect(result.status == 0)
            #expect(try workspace.text(of: "a.json") == Self.edited)
        }
    }
#endif
