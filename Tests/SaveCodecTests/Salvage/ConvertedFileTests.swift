import TestSupport
import Testing

@testable import SaveCodec

/// Conversions of files with CRLF, and those that cannot be undone: the highest bits are gone, or CR and LF are the
/// same.
extension BinaryPlistSalvageTests {
    @Test func namesAMissingHighestBit() throws {
        for (file, original) in Self.saves {
            let stripped = original.map { $0 & 0x7F }
            let problem = #expect(throws: Problem.self, "\(file)") {
                try Format.binary.definition.salvage(stripped, limits: Limits())
            }
            #expect(problem?.message.contains("the highest bit of each byte is gone") == true, "\(file)")
            #expect(Self.finding(in: stripped)?.id == "damage.seven-bit", "\(file)")
        }
    }

    /// Each 0x0D became 0x0A, or the reverse, so that nothing shows which of them a byte was.
    @Test(arguments: [0x0A, 0x0D] as [UInt8]) func doubtsReplacedLineEnds(_ remaining: UInt8) throws {
        // 200 strings have offsets with either byte, and so have references to objects 10 and 13.
        let strings = (0..<200).map { number in
            var text = Array("\(number)".utf8)
            let letter: UInt8 = number % 7 == 0 ? 0x0A : number % 11 == 0 ? 0x0D : 0x41
            text += [UInt8](repeating: letter, count: 20 - text.count)
            return [0x5F, 0x10, 0x14] + text
        }
        let root: [UInt8] = [0xAF, 0x10, 200] + (1...200).map { UInt8($0) }
        let long = Self.longFile([root] + strings)
        #expect(Self.salvage(long)?.isSound == true)
        for file in Self.saves + [(name: "long", bytes: long)] {
            let damaged = file.bytes.map { $0 == 0x0A || $0 == 0x0D ? remaining : $0 }
            guard damaged != file.bytes, file.name == "long" || file.name.hasSuffix("swamp.save") else { continue }
            let salvage = try #require(Self.salvage(damaged), "\(file.name)")
            #expect(salvage.contradiction?.id == "damage.line-ends", "\(file.name)")
            #expect(Self.finding(in: damaged)?.id == "damage.line-ends", "\(file.name)")
            #expect(!salvage.isProved, "\(file.name)")
            Self.check(damaged, of: file, hit: [], "line ends")
        }
    }

    /// Git leaves a CRLF as it is. The offset table shows which CRLFs were in the file before.
    @Test func keepsGenuineLineEnds() throws {
        var builder = DocumentBuilder()
        builder.open(.array)
        builder.add(data: ([0x89, 0x50, 0x0D, 0x0A, 0x1A, 0x0D, 0x0A] as [UInt8]).span)
        builder.add(string: "two\nlines\n")
        builder.add(string: "plain")
        builder.add(data: ([0x0D, 0x0A] as [UInt8]).span)
        builder.close()
        let original = try builder.finish().bytes(as: .binary)
        let damaged = Self.converted(original)
        #expect(damaged.count == original.count + 2)
        let salvage = try #require(Self.salvage(damaged))
        #expect(salvage.bytes == original)
        #expect(salvage.isProved)
    }

    /// Neighbouring offsets have the bytes of a CRLF, such as 0x0A0D and 0x0A0F.
    @Test(arguments: 2420...2423) func keepsGenuineLineEndsInTheTable(_ size: Int) throws {
        var builder = DocumentBuilder()
        builder.open(.array)
        builder.add(data: [UInt8](repeating: 0x41, count: size).span)
        for number in 20..<90 { builder.add(integer: Int128(number)) }
        builder.add(string: "two\r\nlines")
        builder.close()
        let original = try builder.finish().bytes(as: .binary)
        let damaged = Self.converted(original)
        #expect(damaged.count < original.count + original.count { $0 == 0x0A } - (size % 2 == 0 ? 1 : 0))
        let salvage = try #require(Self.salvage(damaged))
        #expect(salvage.bytes == original && salvage.isProved)
    }

    /// The root is stored last, as some programs do.
    @Test func keepsGenuineLineEndsBeforeTheRoot() throws {
        let first: [UInt8] = [0x10, 0x0A]
        let objects: [[UInt8]] = [[0x43, 0x0D, 0x0A, 0x1A], [0x53, 0x61, 0x0A, 0x62], [0xA3, 1, 2, 3]]
        let starts = [18, 8, 10, 14].map(UInt8.init)
        var output = ByteWriter()
        output.write(Array("bplist00".utf8) + first + objects.joined() + starts)
        Trailer(offsetSize: 1, referenceSize: 1, objectCount: 4, root: 0, tableStart: 22).write(to: &output)
        let original = output.takeBytes()
        let damaged = Self.converted(original)
        #expect(damaged.count > original.count)
        let salvage = try #require(Self.salvage(damaged))
        #expect(salvage.bytes == original && salvage.isProved)
    }

    /// Converts LF to CRLF and leaves each CRLF as it is.
    private static func converted(_ original: [UInt8]) -> [UInt8] {
        var converted: [UInt8] = []
        for byte in original { converted += byte == 0x0A && converted.last != 0x0D ? [0x0D, 0x0A] : [byte] }
        return converted
    }

    /// Returns the error with which a file is refused, or the first finding in a file that reads.
    private static func finding(in bytes: [UInt8]) -> Problem? {
        do throws(Problem) {
            return try Document.read(bytes, as: .binary).warnings.first
        } catch {
            return error
        }
    }

    /// The only number with the lost byte is an offset or the object count of the trailer.
    @Test(arguments: [2, 12]) func doubtsReplacedLineEndsOfSmallFiles(_ count: Int) throws {
        // The third object begins at 0x0D, or there are 0x0D objects.
        let integers: [[UInt8]] = (1..<count).map { [0x10, UInt8($0)] }
        let string: [UInt8] = [0x53, 0x61, 0x0D, 0x62]
        let original = Self.file([[0xA0 | UInt8(count)] + (1...UInt8(count))] + integers + [string], root: 0)
        #expect(Self.salvage(original)?.isSound == true)
        let salvage = try #require(Self.salvage(original.map { $0 == 0x0D ? 0x0A : $0 }))
        #expect(!salvage.isProved && salvage.contradiction?.id == "damage.line-ends")
        #expect(salvage.losses.contains { $0.kind == .doubtful && $0.place == .object(ObjectID(count)) })
    }

    @Test func namesNoMissingHighestBitWithoutContainers() throws {
        let salvage = try #require(Self.salvage(Self.file([[0x51, 0x61], [0x51, 0x62], [0x51, 0x63]], root: 0)))
        #expect(salvage.contradiction == nil)
    }

    /// A binary property list of objects with references of one byte and offsets of two, with the first as the root.
    static func longFile(_ objects: [[UInt8]]) -> [UInt8] {
        var (bytes, offsets): ([UInt8], [UInt8]) = (Array("bplist00".utf8), [])
        for object in objects {
            offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
            bytes += object
        }
        var output = ByteWriter()
        Trailer(
            offsetSize: 2, referenceSize: 1, objectCount: UInt64(objects.count), root: 0,
            tableStart: UInt64(bytes.count)
        ).write(to: &output)
        return bytes + offsets + output.takeBytes()
    }
}
