import Foundation
import Testing

@testable import SaveToolKit

/// Tests that Window Maker and GNUstep read the OpenStep text that savetool writes.
@Suite struct OpenStepClientTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
    }

    /// Runs a program with the workspace as its home folder, and returns its output and messages.
    private func run(_ program: URL?, _ arguments: String...) throws -> String {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.currentDirectoryURL = workspace.folder
        process.environment = Programs.environment.merging(["HOME": workspace.path(of: ""), "LC_ALL": "C"]) { $1 }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: text, as: UTF8.self)
    }

    // MARK: Window Maker

    private static let preferences = """
        {
          Logo.WMDock = {Icon = GNUstep.tiff;};
          "*" = {Icon = defaultAppIcon.tiff;};
          "Mozilla-bin" = {Icon = "wmaker-nav.tif";};
          Clip = "0:1";
          IconPath = ("~/GNUstep/Library/Icons", "/usr/share/icons");
        }

        """

    @Test(
        .enabled(if: Programs.wdread != nil, "needs wdread, of Window Maker"),
        arguments: ["a-b:c.tiff", "$a", "", "x/*y"])
    func windowMakerReadsOutput(value: String) throws {
        let folder = workspace.folder.appending(path: "GNUstep/Defaults")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = "GNUstep/Defaults/WMTest"
        try workspace.write(Self.preferences, to: file)
        #expect(try run(Programs.wdread, "WMTest", "Clip") == "\"0:1\"\n")
        #expect(workspace.run(["set", "-i", file, "/Logo.WMDock/Icon", value]).status == 0)
        let whole = workspace.run(["convert", "--to", "json", file]).output
        #expect(workspace.run(["convert", "--to", "openstep", "-o", file], input: Array(whole.utf8)).status == 0)
        // wdread chooses by itself which strings to quote.
        let icon = try run(Programs.wdread, "WMTest", "Logo.WMDock").replacing("\"", with: "")
        #expect(icon == "{\n  Icon = \(value);\n}\n")
        #expect(try run(Programs.wdread, "WMTest", "Clip") == "\"0:1\"\n")
        #expect(try run(Programs.wdread, "WMTest", "Mozilla-bin") == "{\n  Icon = \"wmaker-nav.tif\";\n}\n")
    }

    // MARK: GNUstep

    static let strings = [
        "", "a", "a_b", "a.b", "a/b", "/a", "a//b", "//", "/*", "*", "a-b", "-1", "a:b", "$a", "a b", "~", "<", "é",
        "\"", "\\",
        "a\nb", "#", "@", "0x10", "{", "=", ";",
    ]

    @Test(.enabled(if: Programs.plmerge != nil, "needs plmerge, of GNUstep"), arguments: ["openstep", "gnustep"])
    func gnustepReadsOutput(format: String) throws {
        let members = Self.strings.filter { !$0.isEmpty }.map { [$0: $0] } + [["none": ""]]
        let json = try JSONSerialization.data(withJSONObject: ["list": Self.strings, "members": members])
        #expect(workspace.run(["convert", "--to", format, "-o", "a.plist"], input: Array(json)).status == 0)
        #expect(try run(Programs.plmerge, "b.plist", "a.plist") == "")
        for name in ["a.plist", "b.plist"] {
            let copy = workspace.run(["convert", "--to", "json", name])
            let value = try JSONSerialization.jsonObject(with: Data(copy.output.utf8)) as? NSDictionary
            #expect(value == ["list": Self.strings, "members": members] as NSDictionary)
        }
    }

    /// A file keeps GNUstep's own layout when it is rewritten.
    @Test(.enabled(if: Programs.plmerge != nil, "needs plmerge, of GNUstep"))
    func keepsLayoutOfGNUstep() throws {
        try workspace.write("{a = {b = (1, (), {c = d;}); e = {};}; f = \"g h\";}", to: "a.plist")
        #expect(try run(Programs.plmerge, "b.plist", "a.plist") == "")
        let text = try workspace.text(of: "b.plist")
        let rewritten = workspace.run(["convert", "--to", "openstep", "b.plist"])
        #expect(rewritten.output == text + (text.hasSuffix("\n") ? "" : "\n"))
    }
}
