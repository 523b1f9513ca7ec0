import SaveCodec
import SaveOperations

/// SARIF 2.1.0 (OASIS): a run with a result for each finding; files that cannot be read are notifications. The rules come
/// behind the results, when it is known which there are.
struct SARIFReport: ReportRenderer {
    private var isFirst = true
    private var rules: Set<String> = []
    private var unread: [(file: String, message: String)] = []

    func begin(to output: inout ByteWriter) {
        output.write("{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{")
        output.write("\"columnKind\":\"unicodeCodePoints\",\"results\":[")
    }

    mutating func render(_ file: FileVerdict, to output: inout ByteWriter) {
        guard file.verdict != .unchecked else {
            return unread.append((file.title, file.findings[0].problem.message))
        }
        for finding in file.findings {
            output.write(isFirst ? "\n" : ",\n")
            isFirst = false
            rules.insert(finding.problem.id)
            write(finding, in: file, to: &output)
        }
    }

    func end(_ totals: ReportTotals, to output: inout ByteWriter) {
        output.write("\n],\"tool\":{\"driver\":{\"name\":\"savetool\",\"version\":\"" + SaveTool.version)
        output.write("\",\"rules\":")
        JSONObject.write(rules.sorted(), to: &output) { rule, output in
            JSONObject.write(to: &output) { $0.member("id", rule, to: &$1) }
        }
        output.write("}},\"invocations\":[")
        JSONObject.write(to: &output) { object, output in
            object.member("executionSuccessful", totals.status != .cannot, to: &output)
            object.member("exitCode", Int(totals.status.rawValue), to: &output)
            object.name("toolExecutionNotifications", to: &output)
            JSONObject.write(unread, to: &output, Self.writeNotification)
        }
        output.write("]}]}\n")
    }

    // MARK: Results

    private func write(_ finding: Finding, in file: FileVerdict, to output: inout ByteWriter) {
        JSONObject.write(to: &output) { object, output in
            object.member("ruleId", finding.problem.id, to: &output)
            object.member("level", Self.level(of: finding, in: file), to: &output)
            object.name("message", to: &output)
            JSONObject.write(to: &output) { $0.member("text", finding.problem.message, to: &$1) }
            object.name("locations", to: &output)
            JSONObject.write([finding], to: &output) { Self.writeLocation($0, in: file, to: &$1) }
        }
    }

    private static func level(of finding: Finding, in file: FileVerdict) -> String {
        if file.verdict == .invalid, file.isWanted { return "note" }
        return switch finding.problem.severity {
        case .error: "error"
        case .warning: "warning"
        case .info: "note"
        }
    }

    private static func writeLocation(_ finding: Finding, in file: FileVerdict, to output: inout ByteWriter) {
        JSONObject.write(to: &output) { object, output in
            object.name("physicalLocation", to: &output)
            writePhysicalLocation(file.title, finding.problem.place, to: &output)
            let addresses = [finding.problem.address, finding.path].compactMap { $0.map(ReportedAddress.init) }
            guard !addresses.isEmpty else { return }
            object.name("logicalLocations", to: &output)
            JSONObject.write(addresses, to: &output, writeLogicalLocation)
        }
    }

    private static func writeLogicalLocation(_ address: ReportedAddress, to output: inout ByteWriter) {
        JSONObject.write(to: &output) { object, output in
            object.member("fullyQualifiedName", address.address, to: &output)
            guard address.isShortened else { return }
            object.name("properties", to: &output)
            JSONObject.write(to: &output) { $0.member("shortened", true, to: &$1) }
        }
    }

    private static func writePhysicalLocation(_ file: String, _ place: Place?, to output: inout ByteWriter) {
        JSONObject.write(to: &output) { object, output in
            object.name("artifactLocation", to: &output)
            JSONObject.write(to: &output) { $0.member("uri", uri(of: file), to: &$1) }
            guard let place else { return }
            object.name("region", to: &output)
            JSONObject.write(to: &output) { region, output in
                switch place {
                case .byte(let offset): region.member("byteOffset", offset, to: &output)
                case .line(let line, let column):
                    region.member("startLine", line, to: &output)
                    region.member("startColumn", column, to: &output)
                }
            }
        }
    }

    private static func writeNotification(_ file: (file: String, message: String), to output: inout ByteWriter) {
        JSONObject.write(to: &output) { object, output in
            object.member("level", "error", to: &output)
            object.name("message", to: &output)
            JSONObject.write(to: &output) { $0.member("text", file.message, to: &$1) }
            object.name("locations", to: &output)
            JSONObject.write([file.file], to: &output) { name, output in
                JSONObject.write(to: &output) { location, output in
                    location.name("physicalLocation", to: &output)
                    writePhysicalLocation(name, nil, to: &output)
                }
            }
        }
    }

    /// A path as a URI reference (RFC 3986): bytes that are no letters, digits or `-._~/` are percent-encoded, so that a
    /// colon is never taken for the end of a scheme.
    static func uri(of path: String) -> String {
        let reference = path.utf8.reduce(into: "") { result, byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x2F, 0x5F, 0x7E:
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default: result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return path.hasPrefix("/") ? "file://" + reference : reference
    }
}
