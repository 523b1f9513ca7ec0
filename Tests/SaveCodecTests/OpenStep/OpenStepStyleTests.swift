import Testing

@testable import SaveCodec

/// Texts keep their style when they are rewritten.
@Suite struct OpenStepStyleTests {
    static let texts: [(format: Format, text: String)] = [
        (
            .openStep,
            "{\n    a = {\n        b = (\n            1,\n            ()\n        );\n    };\n    c = {};\n}\n"
        ),
        (.openStep, "{\n  a = {\n    b = (\n      1,\n      ()\n    );\n  };\n}\n"),
        (.openStep, "{\n\ta = {\n\t\tb = (\n\t\t\t1\n\t\t);\n\t};\n}\n"),
        (.openStep, "{\n    a = {\n\tb = (\n\t    1,\n\t    (\n\t    )\n\t);\n    };\n    c = {\n    };\n}\n"),
        (.gnustep, "{\n  a = <*I5>;\n  b = {\n    c = <*BY>;\n  };\n}\n"),
        (
            .openStep,
            "\"a\" = \"b\";\n\"c d\" = {\n    e = (\n        f\n    );\n    g = {};\n};\n\"h\" = {};\n\"i\" = <0fbd771c 0a>;\n"
        ),
        (.openStep, "\"a\" = {\n\tb = c;\n};\n"),
        // Only empty containers on two lines indicate GNUstep.
        (.openStep, "{\n}\n"), (.openStep, "(\n)\n"), (.openStep, "{}\n"), (.openStep, "\"a\" = {\n};\n"),
    ]

    @Test(arguments: texts) func keepsLayout(_ format: Format, _ text: String) throws {
        let document = try Document.read(Array(text.utf8), as: format)
        #expect(try written(document, as: format) == text)
        // An edited copy keeps the layout.
        var editor = DocumentEditor(document)
        editor.root = editor.add { $0.add(string: "x") }
        let edited = try editor.finish()
        #expect(edited.facts.formatFacts.openStepStyle == document.facts.formatFacts.openStepStyle)
    }

    static let others: [(text: String, written: String)] = [
        ("a = b;", "\"a\" = \"b\";\n"), ("/* a */ a;", "\"a\" = \"a\";\n"),
        ("{\n/*\n   a\n   */\n // b\n\n \n   a = b;}", "{\n   a = b;\n}\n"),
        ("{\n" + String(repeating: " ", count: 17) + "a = b;}", "{\n    a = b;\n}\n"),
    ]

    @Test(arguments: others) func keepsIndentation(_ text: String, _ result: String) throws {
        #expect(try written(Document.read(Array(text.utf8), as: .openStep), as: .openStep) == result)
    }

    @Test func writesOtherDialectsInTheirLayout() throws {
        let document = try Document.read(Array("a = {\n b = c;};".utf8), as: .openStep)
        #expect(try written(document, as: .gnustep) == "{\n    a = {\n        b = c;\n    };\n}\n")
    }

    @Test func writesBracesForEmptyStringsFile() throws {
        let document = try Document.read(Array("a = b;".utf8), as: .openStep)
        var editor = DocumentEditor(document)
        editor.root = editor.addContainer(.dictionary)
        editor.setContents(of: editor.root, to: [])
        #expect(try written(editor.finish(), as: .openStep) == "{}\n")
    }

    private func written(_ document: Document, as format: Format) throws -> String {
        return String(decoding: try document.bytes(as: format), as: UTF8.self)
    }
}
