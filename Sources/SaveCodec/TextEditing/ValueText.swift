/// The text between the parts of a container.
struct MemberGaps {
    /// The text between a key and its value.
    let key: KeyGap
    /// The text between members on one line.
    let member: [UInt8]
    /// The text after the opening bracket and before the closing bracket of a container on one line.
    var padding: (start: [UInt8], end: [UInt8]) = ([], [])
}

/// A writer of new values in the style of the surrounding text, either on indented lines or on one line.
struct StyledValueWriter {
    private struct Frame {
        let container: StoredObject
        let style: LineStyle?
        var next = 0
    }

    let document: Document
    let syntax: any TextSyntax
    let gaps: MemberGaps
    /// The ranges of values that are copied with their comments and notation.
    private let copies: [ObjectID: Range<Int>]
    private let text: [UInt8]
    private var frames: [Frame] = []

    init(
        _ document: Document, _ syntax: any TextSyntax, copies: [ObjectID: Range<Int>], of text: [UInt8],
        gaps: MemberGaps
    ) {
        self.copies = copies
        self.text = text
        self.document = document
        self.syntax = syntax
        self.gaps = gaps
    }

    /// Writes a value.
    ///
    /// - Parameter style: The style of its lines; nil for a value on one line.
    mutating func write(
        _ value: ObjectID, like sample: TextSample, in style: LineStyle?, to output: inout ByteWriter
    ) {
        open(value, like: sample, style, to: &output)
        let inner = TextSample(text: sample.text, keys: sample.keys, neighbours: sample.values)
        while let frame = frames.last {
            if frame.next < frame.container.count {
                frames[frames.count - 1].next += 1
                writeMember(of: frame, like: inner, to: &output)
            } else {
                frames.removeLast()
                if let style = frame.style { startLine(style, to: &output) } else { output.write(gaps.padding.end) }
                syntax.writeClosing(frame.container.kind, to: &output)
                endMember(to: &output)
            }
        }
    }

    fileprivate func writeKeyGap(_ style: LineStyle?, to output: inout ByteWriter) {
        switch gaps.key {
        case .text(let text): output.write(text)
        case .line: if let style { startLine(style, to: &output) }
        }
    }

    private mutating func open(
        _ value: ObjectID, like sample: TextSample, _ style: LineStyle?, to output: inout ByteWriter
    ) {
        let object = document.object(value)
        if let range = copies[value] {
            output.write(copy(range, in: style))
            return endMember(to: &output)
        }
        guard object.kind.isContainer, syntax.hasMembers(object, of: document) else {
            syntax.writeScalar(object, of: document, like: sample, in: style, to: &output)
            return endMember(to: &output)
        }
        guard object.count > 0 else {
            syntax.writeEmpty(object.kind, in: style, to: &output)
            return endMember(to: &output)
        }
        syntax.writeOpening(object.kind, to: &output)
        frames.append(Frame(container: object, style: style))
    }

    private mutating func writeMember(of frame: Frame, like sample: TextSample, to output: inout ByteWriter) {
        let style = frame.style?.inner
        if let style {
            startLine(style, to: &output)
        } else {
            output.write(frame.next > 0 ? gaps.member : gaps.padding.start)
        }
        guard frame.container.kind == .dictionary else {
            return open(document.reference(frame.next, of: frame.container), like: sample, style, to: &output)
        }
        syntax.writeKey(
            document.object(document.key(frame.next, of: frame.container)), of: document, like: sample, to: &output)
        writeKeyGap(style, to: &output)
        open(document.value(frame.next, of: frame.container), like: sample, style, to: &output)
    }

    /// Returns the text of a range, with the indentation adjusted if that cannot change strings.
    private func copy(_ range: Range<Int>, in style: LineStyle?) -> [UInt8] {
        let copy = Array(text[range])
        guard let style, syntax.stringsHaveNoLines, copy.contains(0x0A) else { return copy }
        let old = text.blanks(ofLineAt: range.lowerBound)
        return style.indentation == old ? copy : copy.indented(by: style.indentation, insteadOf: old)
    }

    private func endMember(to output: inout ByteWriter) {
        guard let frame = frames.last else { return }
        let separator = syntax.separator(of: frame.container.kind)
        guard let character = separator.character else { return }
        if frame.next < frame.container.count || separator.endsLast { output.write(character) }
    }

    private func startLine(_ style: LineStyle, to output: inout ByteWriter) {
        output.write(style.lineBreak)
        output.write(style.indentation)
    }
}

/// A writer of new members in the style of nearby members.
struct MemberWriter {
    var values: StyledValueWriter
    /// The writers for containers of each kind, in the style of a nearby container, and whether that is on one line.
    var models: [StoredObject.Kind: (text: StyledValueWriter, isRow: Bool)] = [:]
    let sample: TextSample
    /// The style of the members' lines; nil for members on one line.
    let style: LineStyle?

    /// Returns the text of a container's member: a value, or a key and a value.
    ///
    /// - Parameters:
    ///   - spelledKey: The given text of the key, and the text after it if that differs from the local style.
    ///   - spelledValue: The given text of the value.
    mutating func text(
        ofMember position: Int, of container: StoredObject, key spelledKey: (text: [UInt8], gap: [UInt8]?)? = nil,
        value spelledValue: [UInt8]? = nil
    ) -> [UInt8] {
        var output = ByteWriter()
        let document = values.document
        guard container.kind == .dictionary else {
            write(document.reference(position, of: container), as: spelledValue, to: &output)
            return output.takeBytes()
        }
        if let spelledKey {
            output.write(spelledKey.text)
        } else {
            let key = document.object(document.key(position, of: container))
            values.syntax.writeKey(key, of: document, like: sample, to: &output)
        }
        if let gap = spelledKey?.gap { output.write(gap) } else { values.writeKeyGap(style, to: &output) }
        write(document.value(position, of: container), as: spelledValue, to: &output)
        return output.takeBytes()
    }

    private mutating func write(_ value: ObjectID, as spelled: [UInt8]?, to output: inout ByteWriter) {
        if let spelled { output.write(spelled) } else { write(value, to: &output) }
    }

    /// Writes a value. A container takes the style of the nearby container of its kind, if there is one.
    mutating func write(_ value: ObjectID, to output: inout ByteWriter) {
        if var model = models[values.document.object(value).kind] {
            model.text.write(value, like: sample, in: model.isRow ? nil : style, to: &output)
        } else {
            values.write(value, like: sample, in: style, to: &output)
        }
    }
}
