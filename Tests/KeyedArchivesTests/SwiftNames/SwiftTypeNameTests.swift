import Foundation
import Testing

@testable import KeyedArchives

/// Tests mangled names. The names were written by Swift's own tools from classes of a module Main.
@Suite struct SwiftTypeNameTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let mangled: String
        let text: String
        /// The name after the module is renamed to Größe.
        let renamed: String
        var testDescription: String { mangled }

        init(_ mangled: String, _ text: String, renamed: String) {
            (self.mangled, self.text, self.renamed) = (mangled, text, renamed)
        }
    }

    static let rows: [Row] = [
        Row("_TtC4Main3Foo", "Main.Foo", renamed: "_TtC7Größe3Foo"),
        Row("_TtCC4Main3Foo5Inner", "Main.Foo.Inner", renamed: "_TtCC7Größe3Foo5Inner"),
        Row("_TtCCC4Main3Foo5Inner4Deep", "Main.Foo.Inner.Deep", renamed: "_TtCCC7Größe3Foo5Inner4Deep"),
        Row("_TtCVC4Main3Foo1S3InS", "Main.Foo.S.InS", renamed: "_TtCVC7Größe3Foo1S3InS"),
        Row("_TtCOC4Main3Foo1E3InE", "Main.Foo.E.InE", renamed: "_TtCOC7Größe3Foo1E3InE"),
        Row("_TtGC4Main3GenSi_", "Main.Gen<Swift.Int>", renamed: "_TtGC7Größe3GenSi_"),
        Row("_TtGC4Main3GenCS_3Foo_", "Main.Gen<Main.Foo>", renamed: "_TtGC7Größe3GenCS_3Foo_"),
        Row(
            "_TtGC4Main3GenGS0_CCS_3Foo5Inner__", "Main.Gen<Main.Gen<Main.Foo.Inner>>",
            renamed: "_TtGC7Größe3GenGS0_CCS_3Foo5Inner__"),
        Row("_TtGCC4Main3Gen2GISi__", "Main.Gen<Swift.Int>.GI", renamed: "_TtGCC7Größe3Gen2GISi__"),
        Row("_TtGCC4Main3Gen2GJSi_SS_", "Main.Gen<Swift.Int>.GJ<Swift.String>", renamed: "_TtGCC7Größe3Gen2GJSi_SS_"),
        Row("_TtGC4Main3GenGSaCS_3Foo__", "Main.Gen<Swift.Array<Main.Foo>>", renamed: "_TtGC7Größe3GenGSaCS_3Foo__"),
        Row(
            "_TtGC4Main3GenGVs10DictionarySSCS_3Foo__", "Main.Gen<Swift.Dictionary<Swift.String, Main.Foo>>",
            renamed: "_TtGC7Größe3GenGVs10DictionarySSCS_3Foo__"),
        Row("_TtGC4Main3GenGSqCS_3Foo__", "Main.Gen<Swift.Optional<Main.Foo>>", renamed: "_TtGC7Größe3GenGSqCS_3Foo__"),
        Row("_TtGC4Main3GenTSiCS_3Foo__", "Main.Gen<(Swift.Int, Main.Foo)>", renamed: "_TtGC7Größe3GenTSiCS_3Foo__"),
        Row("_TtGC4Main3GenFSiCS_3Foo_", "Main.Gen<(Swift.Int) -> Main.Foo>", renamed: "_TtGC7Größe3GenFSiCS_3Foo_"),
        Row("_TtGC4Main3GenPS_1P__", "Main.Gen<Main.P>", renamed: "_TtGC7Größe3GenPS_1P__"),
        Row("_TtGCV4Main6Holder1CCS_3Foo__", "Main.Holder<Main.Foo>.C", renamed: "_TtGCV7Größe6Holder1CCS_3Foo__"),
        Row("_TtC4Main10Vergüenza", "Main.Vergüenza", renamed: "_TtC7Größe10Vergüenza"),
        Row("_TtCC4Main10Vergüenza7Größe", "Main.Vergüenza.Größe", renamed: "_TtCC7Größe10Vergüenza7Größe"),
        Row("_TtGC4Main3GenMCS_3Foo_", "Main.Gen<Main.Foo.Type>", renamed: "_TtGC7Größe3GenMCS_3Foo_"),
        Row("_TtGC4Main3GenP__", "Main.Gen<Any>", renamed: "_TtGC7Größe3GenP__"),
        Row("_TtGC4Main3GenPs9AnyObject__", "Main.Gen<Swift.AnyObject>", renamed: "_TtGC7Größe3GenPs9AnyObject__"),
        Row("_TtGC4Main3GenGVs3SetSi__", "Main.Gen<Swift.Set<Swift.Int>>", renamed: "_TtGC7Größe3GenGVs3SetSi__"),
        Row(
            "_TtGC4Main3GenT1aSi1bCS_3Foo__", "Main.Gen<(a: Swift.Int, b: Main.Foo)>",
            renamed: "_TtGC7Größe3GenT1aSi1bCS_3Foo__"),
        Row(
            "_TtGCC4Main3Gen2GJSi_CS_3Foo_", "Main.Gen<Swift.Int>.GJ<Main.Foo>",
            renamed: "_TtGCC7Größe3Gen2GJSi_CS_3Foo_"),
        Row("_TtGC4Main3GenVs9Character_", "Main.Gen<Swift.Character>", renamed: "_TtGC7Größe3GenVs9Character_"),
        Row("_TtGC4Main3GenVs5UInt8_", "Main.Gen<Swift.UInt8>", renamed: "_TtGC7Größe3GenVs5UInt8_"),
        Row("_TtGC4Main3GenSd_", "Main.Gen<Swift.Double>", renamed: "_TtGC7Größe3GenSd_"),
        Row("_TtGC4Main3Gen_", "Main.Gen", renamed: "_TtGC7Größe3Gen_"),
        Row("_TtC4MainX12vergenza_JFa", "Main.vergüenza", renamed: "_TtC7GrößeX12vergenza_JFa"),
        Row("_TtC4MainX3___", "Main.__", renamed: "_TtC7GrößeX3___"),
        Row("_TtC4Main2é", "Main.é", renamed: "_TtC7Größe2é"),
        Row("_TtGC4Main3GenFzT_T__", "Main.Gen<() throws -> ()>", renamed: "_TtGC7Größe3GenFzT_T__"),
        Row("_TtGC4Main3GenMFT_T__", "Main.Gen<(() -> ()).Type>", renamed: "_TtGC7Größe3GenMFT_T__"),
        Row("_TtGC4Main3GenPMPS_1PS_1Q__", "Main.Gen<Main.P & Main.Q.Type>", renamed: "_TtGC7Größe3GenPMPS_1PS_1Q__"),
        Row(
            "_TtCE5OtherC4Main3Foo5Inner", "(extension in Other):Main.Foo.Inner",
            renamed: "_TtCE5OtherC7Größe3Foo5Inner"),
        Row("_TtGC4Main3GenCSo8NSObject_", "Main.Gen<__C.NSObject>", renamed: "_TtGC7Größe3GenCSo8NSObject_"),
    ]

    /// Names of classes inside functions, as a compiler of Swift 6.2 writes them for the Objective-C runtime.
    static let localRows: [Row] = [
        Row("_TtCF4Main3twoFT_T_L_1A", "A #1 in Main.two() -> ()", renamed: "_TtCF7Größe3twoFT_T_L_1A"),
        Row("_TtCF4Main3twoFT_T_L0_1A", "A #2 in Main.two() -> ()", renamed: "_TtCF7Größe3twoFT_T_L0_1A"),
        Row(
            "_TtCF4Main3twoFCS_6PlayerPs9AnyObject_L_5Local", "Local #1 in Main.two(Main.Player) -> Swift.AnyObject",
            renamed: "_TtCF7Größe3twoFCS_6PlayerPs9AnyObject_L_5Local"),
        Row("_TtCCF4Main3twoFT_T_L_1A1C", "C in A #1 in Main.two() -> ()", renamed: "_TtCCF7Größe3twoFT_T_L_1A1C"),
        Row(
            "_TtCCCF4Main3twoFT_T_L_1A1C1D", "C.D in A #1 in Main.two() -> ()",
            renamed: "_TtCCCF7Größe3twoFT_T_L_1A1C1D"),
        Row(
            "_TtCFCF4Main3twoFT_T_L_1A1mFT_T_L_1B", "B #1 in m() -> () in A #1 in Main.two() -> ()",
            renamed: "_TtCFCF7Größe3twoFT_T_L_1A1mFT_T_L_1B"),
        Row(
            "_TtCFF4Main3twoFT_T_L_5innerFT_T_L_7InInner", "InInner #1 in inner #1 () -> () in Main.two() -> ()",
            renamed: "_TtCFF7Größe3twoFT_T_L_5innerFT_T_L_7InInner"),
        Row(
            "_TtCFF4Main3twoFT_T_U_FSiT_L_3InC", "InC #1 in closure #1 (Swift.Int) -> () in Main.two() -> ()",
            renamed: "_TtCFF7Größe3twoFT_T_U_FSiT_L_3InC"),
        Row(
            "_TtCFC4Main6PlayercFT1xS0__S0_L_6InInit",
            "InInit #1 in Main.Player.init(x: Main.Player) -> Main.Player",
            renamed: "_TtCFC7Größe6PlayercFT1xS0__S0_L_6InInit"),
        Row("_TtCFC4Main6PlayerdL_2In", "In #1 in Main.Player.deinit", renamed: "_TtCFC7Größe6PlayerdL_2In"),
        Row(
            "_TtCFC4Main6Playerg1xSiL_5InGet", "InGet #1 in Main.Player.x.getter : Swift.Int",
            renamed: "_TtCFC7Größe6Playerg1xSiL_5InGet"),
        Row(
            "_TtCFC4Main6PlayerW1wSiL_5InDid", "InDid #1 in Main.Player.w.didset : Swift.Int",
            renamed: "_TtCFC7Größe6PlayerW1wSiL_5InDid"),
        Row(
            "_TtCZFC4Main6Player4makeFT_S0_L_2In", "In #1 in static Main.Player.make() -> Main.Player",
            renamed: "_TtCZFC7Größe6Player4makeFT_S0_L_2In"),
        Row(
            "_TtCF4Main2atFzZT_SiL_1X", "X #1 in Main.at() async throws -> Swift.Int",
            renamed: "_TtCF7Größe2atFzZT_SiL_1X"),
        Row(
            "_TtCFV4Main1S1mFRSiTSiCS_6Player_L_2In",
            "In #1 in Main.S.m(inout Swift.Int) -> (Swift.Int, Main.Player)",
            renamed: "_TtCFV7Größe1S1mFRSiTSiCS_6Player_L_2In"),
        Row(
            "_TtCFC4Main6PlayerP33_A64F7B3DE8FADB80620F23D1379F799B4privFT_T_L_2In",
            "In #1 in Main.Player.(priv in _A64F7B3DE8FADB80620F23D1379F799B)() -> ()",
            renamed: "_TtCFC7Größe6PlayerP33_A64F7B3DE8FADB80620F23D1379F799B4privFT_T_L_2In"),
    ]

    /// The name of a class, its old and new name, and its name if another class is renamed.
    @Test(
        arguments: [
            ("_TtCC4Main6Player4Item", "_TtCC4Main4Hero4Item"),
            ("_TtGC4Main3BoxCS_6Player_", "_TtGC4Main3BoxCS_4Hero_"),
            ("_TtCFC4Main6PlayercFT1xS0__S0_L_2In", "_TtCFC4Main4HerocFT1xS0__S0_L_2In"),
            ("_TtGC4Main3BoxCC5Other6Player4Item_", nil), ("_TtCC4Main7Player24Item", nil),
        ] as [(String, String?)])
    func renamesTypesInside(_ name: String, _ renamed: String?) throws {
        let type = try #require(SwiftTypeName(mangled: name.utf16))
        let new = type.renamingType(Array("Main.Player".utf16), to: Array("Main.Hero".utf16))
        #expect(Self.string(new?.mangled) == renamed ?? "")
        let back = new?.renamingType(Array("Main.Hero".utf16), to: Array("Main.Player".utf16))
        #expect(Self.string(back?.mangled) == (renamed == nil ? "" : name))
        #expect(type.renamingType(Array("Main.Player".utf16), to: Array("Main.A.B".utf16)) == nil)
    }

    @Test func renamesOuterModule() throws {
        let type = try #require(SwiftTypeName(mangled: "_TtCC4Main6Player4Item".utf16))
        let new = type.renamingType(Array("Main.Player".utf16), to: Array("Other.Hero".utf16))
        #expect(Self.string(new?.mangled) == "_TtCC5Other4Hero4Item")
        let both = try #require(SwiftTypeName(mangled: "_TtGC4Main3BoxCS_6Player_".utf16))
        let moved = both.renamingType(Array("Main.Player".utf16), to: Array("Other.Hero".utf16))
        #expect(Self.string(moved?.mangled) == "_TtGC4Main3BoxC5Other4Hero_")
    }

    @Test(arguments: rows + localRows) func readsAndWrites(_ row: Row) throws {
        let type = try #require(SwiftTypeName(mangled: row.mangled.utf16))
        #expect(Self.string(type.text) == row.text)
        #expect(Self.string(type.mangled) == row.mangled)
        let renamed = try #require(type.renamingModule(Array("Main".utf16), to: Array("Größe".utf16)))
        #expect(Self.string(renamed.mangled) == row.renamed)
        let again = try #require(SwiftTypeName(mangled: renamed.mangled))
        #expect(
            Self.string(again.renamingModule(Array("Größe".utf16), to: Array("Main".utf16))?.mangled) == row.mangled)
        #expect(type.renamingModule(Array("Mai".utf16), to: Array("A".utf16)) == nil)
    }

    /// A module that gets the name of another one, or of the standard library, has the substitutions of that one.
    @Test(arguments: [
        ("_TtGC4Main3GenC5Other3Foo_", "Other", "_TtGC5Other3GenCS_3Foo_"),
        ("_TtGC4Main3GenTCS_3FooC5Other3FooCS2_3Bar__", "Other", "_TtGC5Other3GenTCS_3FooS1_CS_3Bar__"),
        ("_TtC4Main6String", "Swift", "_TtCs6String"), ("_TtGC4Main3GenVS_3Int_", "Swift", "_TtGCs3GenSi_"),
        ("_TtC4Main3Foo", "__C", "_TtCSo3Foo"),
    ])
    func mergesModules(_ mangled: String, _ module: String, _ expected: String) throws {
        let type = try #require(SwiftTypeName(mangled: mangled.utf16))
        #expect(Self.string(type.renamingModule(Array("Main".utf16), to: Array(module.utf16))?.mangled) == expected)
    }

    @Test(arguments: [
        ("_TtC4Main3Foo", "Kit.Bar", "_TtC3Kit3Bar"), ("_TtCV4Main3Foo5Inner", "Kit.Bar.Größe", "_TtCV3Kit3Bar7Größe"),
        ("_TtC4Main3Foo", "Kit.(Bar in _01)", "_TtC3KitP3_013Bar"), ("_TtC4Main3Foo", "Kit.Bar.Baz", nil),
        ("_TtC4MainP3_013Foo", "Kit.Bar", "_TtC3Kit3Bar"), ("_TtC4Main3Foo", "Bar", nil),
        ("_TtC4Main3Foo", "Kit.3D", nil), ("_TtC4Main3Foo", "Kit.", nil), ("_TtC4Main3Foo", ".Bar", nil),
        ("_TtGC4Main3GenSi_", "Kit.Gen", nil), ("_TtGC4Main3GenSi_", "Gen", nil),
        ("_TtCE5OtherC4Main3Foo5Inner", "Kit.Foo", nil),
    ])
    func renamesOneType(_ mangled: String, _ name: String, _ expected: String?) throws {
        let type = try #require(SwiftTypeName(mangled: mangled.utf16))
        #expect(type.renamed(Array(name.utf16)).map { Self.string($0.mangled) } == expected)
    }

    /// Names that only look mangled.
    static let others = [
        "", "_", "_T", "_Tt", "_TtC", "_TtC4Main", "_TtC4Main0", "_TtC4Main3Fo", "_TtC4Main3FooX", "_TtC4Main3Foo_",
        "_TtC4Main99999999999999999999999999Foo", "_TtC4Main9223372036854775807Foo", "_TtC3FooS_", "_TtC4Main3FooS_",
        "_TtCS0_3Foo", "_TtGC4Main3GenSi", "_TtGC4Main3GenS9_", "_TtGC4Main3GenS99999999999999999999_",
        "_TtGC4Main3GenC", "_TtGSi_", "_TtSi", "_TtV4Main3Foo", "_TtT_", "_TtMC4Main3Foo", "_TtP_",
        "_TtCF4Main1fFT_T_5Local", "_TtCF4Main1fFT_T_L_", "_TtCF4Main1fL_5Local", "_TtC4MainL_5Local",
        "_TtCZ4Main1fFT_T_L_5Local", "_TtCF4Mainoi1pFT_T_L_5Local", "_TtFC4Main3Foo1fFT_T_", "_TtCF",
        "_TtCF4MaincFT_T_U_L_1A" + String(repeating: "F", count: 3000),
        "_TtC4Main1é", "_TtC4Main2Aé", "_TtC4MainX20zzzzzzzzzzzzzzzzzzzz", "_TtC4MainX1é", "_TtGC4Main3GenPSi__",
        "_TtGCE4MainSa6ArrExtCS_3Foo__",
        "_TTC4Main3Foo", "TtC4Main3Foo", "Main.Foo", "_Tt" + String(repeating: "C", count: 4000),
        "_Tt" + String(repeating: "G", count: 4000), "_Tt" + String(repeating: "M", count: 4000) + "Si",
        "_TtGC1A1B" + String(repeating: "T", count: 4000), "_TtC4Main5000" + String(repeating: "a", count: 5000),
    ]

    @Test(arguments: others) func keepsOtherNames(_ name: String) {
        #expect(SwiftTypeName(mangled: name.utf16) == nil)
    }

    @Test func keepsLoneSurrogates() {
        #expect(SwiftTypeName(mangled: Array("_TtC4Main3".utf16) + [0xD800]) == nil)
    }

    /// Every prefix of a name, and every name with one other byte, is read without a trap.
    @Test func readsDamagedNames() {
        for row in Self.rows + Self.localRows {
            let units = Array(row.mangled.utf16)
            for count in units.indices { _ = SwiftTypeName(mangled: units[..<count])?.text }
            for position in 3..<units.count {
                for unit in "CVOGTFMPXSsELZURgdcW_019aé".utf16 {
                    var changed = units
                    changed[position] = unit
                    guard let type = SwiftTypeName(mangled: changed) else { continue }
                    _ = type.text
                    // The same type may have several spellings.
                    let written = type.mangled
                    #expect(SwiftTypeName(mangled: written)?.mangled == written, "\(Self.string(changed))")
                }
            }
        }
    }

    /// A name that refers to a long type many times has no text, which would be long.
    @Test func limitsText() throws {
        let nested = String(repeating: "C", count: 300) + "1A" + String(repeating: "1b", count: 300)
        let name = "_TtGC1Z1YT\(nested)" + String(repeating: "S301_", count: 400) + "__"
        let type = try #require(SwiftTypeName(mangled: name.utf16))
        #expect(type.text == nil)
        #expect(Self.string(type.mangled) == name)
    }

    /// Swift's own tool reads the names in the same way.
    @Test func matchesSwift() throws {
        let rows = Self.rows + Self.localRows
        guard let output = try Self.demangled(rows.map(\.mangled)) else { return }
        for (row, line) in zip(rows, output) {
            // It abbreviates types such as arrays, and does not read UTF-8 names.
            guard row.mangled.utf8.allSatisfy({ $0 < 0x80 }), !line.contains("["), !line.contains("?") else { continue }
            #expect(line == row.text)
        }
    }

    /// Returns the names as `swift-demangle` prints them; nil if it is not installed.
    private static func demangled(_ names: [String]) throws -> [String]? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["swift-demangle", "-compact"] + names
        let (output, errors) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (output, errors)
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { return nil }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private static func string(_ units: [UInt16]?) -> String {
        units.map { String(decoding: $0, as: UTF16.self) } ?? ""
    }
}
