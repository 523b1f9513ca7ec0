/// Bytes before a save that do not belong to it:
///
///     EF BB BF │ 62 70 6C 69 …                      a byte order mark, or white space, before binary data
///     HTTP/1.1 200 OK … 0D 0A 0D 0A │ 1F 8B …       the header of an HTTP response, or of a mail
///     2026-01-01 saved 0A │ {"a": 1}                lines of text
///     <b>Warning</b>: … 0A │ 62 70 6C 69 …          markup of other kinds, such as a warning of PHP
///     00 10 00 00 │ 62 70 6C 69 …                   anything, before the header of a save
///     53 41 56 45 01 │ 7B 22 …                      binary data before JSON
///
/// The bytes from a candidate offset on must be a complete save, including its layers, so a header that occurs by
/// chance is not enough. Only a few offsets are tried, so the time is linear.
package struct PrecedingBytes {
    package enum Kind: Sendable {
        case mark, whiteSpace, response, message, lines, unknown
    }

    package let count: Int
    package let kind: Kind
    /// The save after the bytes, with its article: `gzip data with a binary property list in it`.
    let title: String

    private init(_ count: Int, _ kind: Kind, in bytes: [UInt8], before title: String, isWhole: Bool = true) {
        (self.count, self.kind, self.title) = (count, kind, title)
        isForeign =
            switch kind {
            case .mark, .whiteSpace, .response: true
            case .message: Self.hasMailField(bytes[..<count]) || Self.areForeign(bytes[..<count])
            // Text without brackets may have lost its first pairs.
            case .lines: isWhole && Self.areForeign(bytes[..<count])
            case .unknown: false
            }
    }

    /// Whether a line of a header is a field that mails and responses have. Other lines, such as `lives: {"n": 3}`, may
    /// be values.
    private static func hasMailField(_ header: ArraySlice<UInt8>) -> Bool {
        let names = ["content-type", "content-length", "mime-version", "from", "date", "subject", "received", "server"]
        return header.split(separator: 0x0A).contains { line in
            names.contains(String(decoding: line.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self).lowercased())
        }
    }

    /// Whether lines before a save cannot be a part of it, such as the end of a comment, or of another save.
    private static func areForeign(_ lines: ArraySlice<UInt8>) -> Bool {
        guard lines.contains(where: { $0 >= 0x80 || "<>{}[]()=;\"*/".utf8.contains($0) }) else { return true }
        let text = Array(lines)
        let tags: [StaticString] = ["<?", "<plist", "<dict", "<array", "<key"]
        return Format.detected(in: text)?.has(.markup) ?? false
            && !text.contains { $0 >= 0x80 || "{}[]\"*".utf8.contains($0) }
            && !tags.contains { tag in
                var cursor = XMLCursor(text)
                return cursor.skip(past: tag)
            }
    }

    /// Finds the bytes before a complete save in a file that cannot be read, or returns nil.
    package static func find(in bytes: [UInt8], limits: Limits) -> PrecedingBytes? {
        let detected = Format.detected(in: bytes)
        guard LayerSearch.kind(of: bytes, decodes: false) == nil, detected?.has(.text) ?? true else { return nil }
        var (triesLeft, decompressionsLeft) = (6, 2)
        for (count, kind) in candidates(in: bytes) {
            let rest = Array(bytes[count...])
            if LayerSearch.kind(of: rest, decodes: false) != nil {
                decompressionsLeft -= 1
            } else {
                guard let format = Format.detected(in: rest) else { continue }
                // The first line of a text is more likely to be a part of it, unless an XML declaration follows.
                if let detected, format.has(.text), detected.has(.markup) == format.has(.markup),
                    !rest.starts(with: "<?xml ".utf8), kind != .whiteSpace || !detected.has(.markup)
                {
                    continue
                }
            }
            triesLeft -= 1
            guard triesLeft >= 0, decompressionsLeft >= 0 else { return nil }
            guard let (contents, layers) = try? Layers.unwrap(rest, limits: limits),
                let format = Format.detected(in: contents),
                case let limits = layers.limits(limits, inside: rest),
                case let isWhole = UnreadableFile.isFile(contents, as: format, limits),
                isWhole || arePairs(contents, as: format, limits)
            else { continue }
            let name = format.definition.article + format.definition.title
            let title = layers.isEmpty ? name : "\(layers.title) with \(name) in it"
            return PrecedingBytes(count, kind, in: bytes, before: title, isWhole: isWhole)
        }
        return nil
    }

    /// Whether a text without brackets consists of pairs, as strings files do.
    private static func arePairs(_ text: [UInt8], as format: Format, _ limits: Limits) -> Bool {
        guard format.has(.bareWords), let document = try? format.definition.read(text, limits: limits) else {
            return false
        }
        return document.object(document.root).kind == .dictionary
    }

    /// Finds the bytes before a save that is damaged itself. The beginning of the save has to be intact.
    package static func beforeDamagedSave(in bytes: [UInt8]) -> PrecedingBytes? {
        for (count, kind) in candidates(in: bytes) {
            let rest = Array(bytes[count...])
            if let layer = LayerSearch.kind(of: rest, decodes: false) {
                return PrecedingBytes(count, kind, in: bytes, before: "\(layer.name) data")
            }
            // A word is not a save.
            guard let format = Format.detected(in: rest), !format.has(.text) || !TextFormatScanner.isWord(rest),
                kind == .response || kind == .message || ForeignHeader.at(0, in: rest) != nil
            else { continue }
            let title = format.definition.article + format.definition.title
            return PrecedingBytes(count, kind, in: bytes, before: title)
        }
        return nil
    }

    /// Whether the bytes are known not to belong to a save. Otherwise they may be the header of a game's own format, or
    /// the remains of a text's damaged beginning.
    package let isForeign: Bool

    /// The error for a file that begins with the bytes.
    package var problem: Problem {
        let advice = isForeign ? "" : "; if they are the game's header, use --unwrap-at \(count)"
        let message: StaticString? =
            switch kind {
            case .response: "an HTTP response"
            case .message: "a message, such as a mail"
            case .mark, .whiteSpace, .lines, .unknown: nil
            }
        return Problem(
            "damage.preceding",
            message.map { "this is \($0); its header takes \(CountText.of(count)) bytes, and \(title) begins here" }
                ?? "\(Phrase.count(count, "byte", "precedes")) \(title), which begins here\(advice)", at: .byte(count))
    }

    /// The removal of the bytes, for the report of a salvage.
    package var repair: Problem {
        let size = Phrase.count(count, "byte")
        let what =
            switch kind {
            case .mark: "a byte order mark was"
            case .whiteSpace: "\(size) of white space \(Phrase.verb("was", for: count))"
            case .response: "the header of an HTTP response, \(size), was"
            case .message: "the header of a message, \(size), was"
            case .lines: "\(size) of text \(Phrase.verb("was", for: count))"
            case .unknown: Phrase.count(count, "byte", "was")
            }
        return Problem("salvage.preceding", "\(what) removed before \(title)", severity: .info)
    }

    // MARK: Candidates

    /// The number of bytes at the beginning of the file that are searched for lines and compressed data.
    private static let searched = 1 << 16
    private static let mostLines = 8

    /// Returns the offsets at which a save may begin, the most certain first.
    private static func candidates(in bytes: [UInt8]) -> [(count: Int, kind: Kind)] {
        var found: [(count: Int, kind: Kind)] = []
        func add(_ count: Int?, _ kind: Kind) {
            guard let count, count > 0, count < bytes.count, !found.contains(where: { $0.count == count }) else {
                return
            }
            found.append((count, kind))
        }
        add(endOfHeader(bytes), bytes.starts(with: "HTTP/".utf8) ? .response : .message)
        let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        add(mark, .mark)
        let first = bytes[mark...].firstIndex { !$0.isSpace }
        add(first, mark > 0 && first == mark ? .mark : .whiteSpace)
        let text = bytes.prefix(searched).prefix { !UnreadableFile.isControl($0) }.count
        let headers = [
            ForeignHeader.first(in: bytes, 1..<max(bytes.count, 1), isOfSave: true)?.offset, compressedData(in: bytes),
            zlibData(in: bytes), textAfterHeader(in: bytes),
        ]
        // The text directly before a header may not end with a line end.
        for start in (lines(of: bytes) + headers.compactMap(\.self)).sorted() {
            add(start, start <= text ? .lines : .unknown)
        }
        return found
    }

    /// Returns the offset after the empty line that ends the header of a message: lines such as `Content-Type: text/plain`
    /// and, before them, perhaps the status line of an HTTP response.
    private static func endOfHeader(_ bytes: [UInt8]) -> Int? {
        let beginning = bytes.prefix(searched)
        var start = 0
        while let end = beginning[start...].firstIndex(of: 0x0A) {
            let line = beginning[start..<end].last == 0x0D ? beginning[start..<end - 1] : beginning[start..<end]
            let name = line.prefix { TextFormatScanner.isWord(Unicode.Scalar($0)) && $0 != UInt8(ascii: ":") }
            if line.isEmpty { return start > 0 ? end + 1 : nil }
            let isContinued = start > 0 && (line.first == 0x20 || line.first == 0x09)
            guard
                isContinued || start == 0 && line.starts(with: "HTTP/".utf8)
                    || !name.isEmpty && line.dropFirst(name.count).first == UInt8(ascii: ":")
            else { return nil }
            start = end + 1
        }
        return nil
    }

    /// Returns the offsets of lines that begin like a text save or compressed data. The first line does not count.
    private static func lines(of bytes: [UInt8]) -> [Int] {
        var starts: [Int] = []
        var position = 0
        for _ in 0..<mostLines {
            guard let end = bytes.prefix(searched)[position...].firstIndex(of: 0x0A),
                !bytes[position..<end].contains(where: UnreadableFile.isControl)
            else { break }
            position = end + 1
            guard position < bytes.count else { break }
            let rest = bytes[position...]
            if "{[(<\"".utf8.contains(bytes[position]) || Layers.areCompressed(rest) { starts.append(position) }
        }
        return starts
    }

    private static func compressedData(in bytes: [UInt8]) -> Int? {
        bytes.prefix(searched).indices.dropFirst().first {
            bytes[$0] == 0x1F && bytes[$0...].starts(with: [0x1F, 0x8B, 8])
        }
    }

    /// The number of bytes in which a text or zlib data is searched, whose signatures are short.
    private static let longestHeader = 256

    private static func zlibData(in bytes: [UInt8]) -> Int? {
        bytes.prefix(longestHeader).indices.dropFirst().first {
            bytes[$0] == 0x78 && Zlib.isPresent(in: bytes[$0...])
        }
    }

    /// Returns the offset of the first bracket after binary data.
    private static func textAfterHeader(in bytes: [UInt8]) -> Int? {
        let start = bytes.prefix(longestHeader).firstIndex { "{[".utf8.contains($0) }
        return start.flatMap { bytes[..<$0].contains(where: UnreadableFile.isControl) ? $0 : nil }
    }
}
